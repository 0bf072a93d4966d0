"""Programs in any language as players."""
