"""Learn: what are these numbers?"""

import streamlit as st

from htreval_core.lab.experiments import EXPERIMENTS
from htreval_ui.sections.experiment import show_experiment
from htreval_ui.sections.lesson import show_lesson
from htreval_ui.sections.lessons import lessons
from htreval_ui.studies.opening import chosen_data, open_study
from htreval_ui.web import state

# After the lessons two of the paper's experiments: the same on somebody's own pages.
every = {lesson.name: lesson for lesson in lessons()}
said = {"swaps": "Swap lines and watch.", "noise-words": "Misread words and watch."}
tries = {state.TRY + name: EXPERIMENTS[name] for name in said}
headings = {name: lesson.heading for name, lesson in every.items()} | dict(
    zip(tries, said.values(), strict=True)
)
titles = {name: lesson.title for name, lesson in every.items()} | {
    name: f"Experiment: {one.title}" for name, one in tries.items()
}
names = list(headings)
chosen = state.current().lesson if state.current().lesson in headings else names[0]
state.settle(lesson=chosen)
place = names.index(chosen)

# One row above and two columns below: on a projector a lesson is one screen.
title, back, which, forth = st.columns([9, 1, 6, 1], vertical_alignment="center", gap="small")
title.title(headings[chosen])
back.button(
    "", icon=":material/chevron_left:", key="lesson_back", width="stretch", disabled=place == 0,
    on_click=state.select, kwargs={"lesson": names[max(place - 1, 0)]}, help="The chapter before",
)  # fmt: skip
which.selectbox(
    "Chapter", names, format_func=lambda name: f"{names.index(name) + 1}  {titles[name]}",
    index=place, label_visibility="collapsed",
    help="The key h hides what stands around a page, and shows it again",
    **state.bound("lesson", chosen, names[0]),
)  # fmt: skip
forth.button(
    "", icon=":material/chevron_right:", key="lesson_next", width="stretch",
    disabled=place + 1 == len(names), on_click=state.select,
    kwargs={"lesson": names[min(place + 1, len(names) - 1)]}, help="The next chapter",
)  # fmt: skip
if chosen in tries:
    state.settle(data=chosen_data())
    show_experiment(tries[chosen], open_study())
else:
    show_lesson(every[chosen])
