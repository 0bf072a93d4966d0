"""Views of a side as JSON and as text: ``view_facts`` says what a view holds, everything else renders it."""
