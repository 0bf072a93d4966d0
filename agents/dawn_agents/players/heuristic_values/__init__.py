"""Values that the rule-based player gives to boards, cards, events and operations."""
