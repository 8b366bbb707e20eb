"""Learn: what are these numbers?"""

import streamlit as st

from htreval_ui import state
from htreval_ui.lesson import show_lesson
from htreval_ui.lessons import lessons

every = {lesson.name: lesson for lesson in lessons()}
names = list(every)
chosen = state.current().lesson if state.current().lesson in every else names[0]

st.title("What are these numbers?")
st.pills(
    "Lesson",
    names,
    format_func=lambda name: f"{names.index(name) + 1}  {every[name].title}",
    default=chosen,
    key=state.widget("lesson", chosen),
    on_change=lambda: state.select(lesson=state.edited("lesson") or names[0]),
    required=True,
    label_visibility="collapsed",
)
show_lesson(every[chosen])

place = names.index(chosen)
back, _, forth = st.columns([2, 5, 2])
if place:
    back.button(
        every[names[place - 1]].title, icon=":material/chevron_left:", key="lesson_back",
        width="stretch", on_click=state.select, kwargs={"lesson": names[place - 1]},
    )  # fmt: skip
if place + 1 < len(names):
    forth.button(
        every[names[place + 1]].title, icon=":material/chevron_right:", key="lesson_next",
        width="stretch", on_click=state.select, kwargs={"lesson": names[place + 1]},
    )  # fmt: skip
