"""The glossary: the field's words and formulas, each with its source and the page to touch it on.

`term` says what an entry is, `terms` has them all, `mathml` writes a formula whose symbols explain
themselves, `formula` draws it, and `panel` draws the page.
"""
