"""Learn: what are these numbers?"""

import streamlit as st

from htreval_ui.views.lesson import show_lesson
from htreval_ui.views.lessons import lessons
from htreval_ui.web import state

every = {lesson.name: lesson for lesson in lessons()}
names = list(every)
chosen = state.current().lesson if state.current().lesson in every else names[0]
state.settle(lesson=chosen)
place = names.index(chosen)

# One row above and two columns below: on a projector a lesson is one screen.
title, back, which, forth = st.columns([9, 1, 6, 1], vertical_alignment="center", gap="small")
title.title(every[chosen].heading)
back.button(
    "", icon=":material/chevron_left:", key="lesson_back", width="stretch", disabled=place == 0,
    on_click=state.select, kwargs={"lesson": names[max(place - 1, 0)]}, help="The lesson before",
)  # fmt: skip
which.selectbox(
    "Lesson",
    names,
    format_func=lambda name: f"{names.index(name) + 1}  {every[name].title}",
    index=place,
    key=state.widget("lesson", chosen),
    on_change=lambda: state.select(lesson=state.edited("lesson") or names[0]),
    label_visibility="collapsed",
    help="The key h hides what stands around a page, and shows it again",
)
forth.button(
    "", icon=":material/chevron_right:", key="lesson_next", width="stretch",
    disabled=place + 1 == len(names), on_click=state.select,
    kwargs={"lesson": names[min(place + 1, len(names) - 1)]}, help="The next lesson",
)  # fmt: skip
show_lesson(every[chosen])
