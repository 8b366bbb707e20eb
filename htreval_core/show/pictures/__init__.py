"""What each picture shows, found once: values for Plotly, for SVG and for the browser to draw.

A picture holds fractions, counts and positions of words. Where it stands on the screen, its colours
and its labels are the business of whoever draws it.
"""
