"""As much of JSON Schema as our own schema uses."""

from typing import Any

_TYPES = {
    "object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
    "null": type(None),
}  # fmt: skip
_KNOWN = {
    "type", "properties", "required", "items", "enum", "const", "oneOf", "$ref", "minItems", "maxItems", "minLength",
    "minimum", "maximum", "$defs", "$schema", "title", "description", "$comment",
}  # fmt: skip


def fits(value: Any, schema: dict, root: dict) -> bool:
    """Whether a value is as the schema says; ``root``: the whole, for references."""
    assert set(schema) <= _KNOWN, schema
    if "$ref" in schema:
        return fits(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root)
    if "oneOf" in schema and sum(fits(value, one, root) for one in schema["oneOf"]) != 1:
        return False
    return _is(value, schema) and _parts_fit(value, schema, root)


def _is(value: Any, schema: dict) -> bool:
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    right = not types or any(isinstance(value, _TYPES[name]) for name in types)
    right = right and (not isinstance(value, bool) or not types or "boolean" in types)
    right = right and value in schema.get("enum", [value]) and value == schema.get("const", value)
    if isinstance(value, int | float):
        return right and schema.get("minimum", value) <= value <= schema.get("maximum", value)
    return right


def _parts_fit(value: Any, schema: dict, root: dict) -> bool:
    if isinstance(value, dict):
        parts = schema.get("properties", {})
        return set(schema.get("required", ())) <= set(value) and all(
            fits(value[key], part, root) for key, part in parts.items() if key in value
        )
    if isinstance(value, list):
        inside = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
        return inside and all(fits(item, schema.get("items", {}), root) for item in value)
    return not isinstance(value, str) or len(value) >= schema.get("minLength", 0)
