"""The command line: one module for each command, and `main` that puts them together.

Data goes to standard output, progress and notes to standard error. The options and the JSON are a
contract that other tools rely on. Nothing heavy is imported before a command needs it.
"""
