"""Exercises: tasks on the other pages that tick themselves when a person has done them.

`task` says what an exercise is, `tasks` has them all, `facts` is what pages tell about what they
show, `progress` keeps what was done, `strip` shows the task on the page where it is done, and
`panel` draws the list.
"""
