"""The gate in the shell corrects for what it is asked about, and for nothing else."""

from tests.tools import Tree, invoke


def test_a_gate_is_corrected_for_its_own_metrics_alone(tree: Tree) -> None:
    """Six pages, each worse: p is 2/64 of every metric."""
    files = {f"reference/{n}.txt": "aa bb cc" for n in range(6)}
    files |= {f"A/{n}.txt": "aa bb cc" for n in range(6)}
    root = tree(files | {f"B/{n}.txt": "aa bb xx" for n in range(6)})
    asked = (
        "compare", root, "--systems", "A,B", "--metrics", "wer,bwer,cer,hcer",
        "--fail-if-worse",
    )  # fmt: skip
    one = invoke(*asked, "cer")
    assert one.exit_code == 1
    assert "(p 0.0312)" in one.stderr
    two = invoke(*asked, "cer,bwer")
    assert two.exit_code == 0
    assert "B" in two.stdout
    assert "A is better, uncorrected" in two.stdout
