"""Campaigns keep what is done, and do not do it again."""

import json

import pytest

from benchmarks.campaign import campaign, stopped_early


def squared(number):
    if number == 13:
        raise AssertionError("was to be known already")
    return {"square": number**2}


def test_rows_come_in_the_order_of_the_jobs_and_are_kept(tmp_path):
    file = tmp_path / "kept.jsonl"
    jobs = {"b": 3, "a": 2}
    rows = campaign(squared, jobs, results=file, processes=2, is_good=lambda row: True)
    assert rows == [{"square": 9}, {"square": 4}]
    kept = [json.loads(line) for line in file.read_text().splitlines()]
    assert {line["job"]: line["row"]["square"] for line in kept} == {"a": 4, "b": 9}


def test_a_stopped_campaign_goes_on(tmp_path, capsys):
    file = tmp_path / "kept.jsonl"
    file.write_text('{"job": "a", "row": {"square": 169}}\n')
    rows = campaign(
        squared, {"a": 13, "b": 1}, results=file, processes=1, is_good=lambda row: row["square"] < 9
    )
    assert rows == [{"square": 169}, {"square": 1}]
    assert "1/1 runs, 1 failed" in capsys.readouterr().err


def test_what_goes_wrong_in_a_run_is_not_hidden():
    with pytest.raises(AssertionError):
        campaign(squared, {"a": 13}, results=None, processes=1, is_good=bool)


def test_a_page_tells_of_a_campaign_that_was_stopped():
    assert next(stopped_early([{}], {"a": 1, "b": 2})).endswith("after 1 of 2 runs.")
    assert list(stopped_early([{}, {}], {"a": 1, "b": 2})) == []
