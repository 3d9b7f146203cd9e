"""The whole tasks of users that are played on the real window, each with its budget of clicks.

A click is what a hand does at once: a click, a double click, a drag, a turn of the wheel, a key, a drop, a text typed
into one field. A task that needs more than its budget fails: the window must not become more laborious unseen.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Task:
    """`title`: what the user wants to have done; `clicks`: the most that it may take."""

    title: str
    clicks: int


TASKS: dict[str, Task] = {
    "drop": Task(title="drop two radiographs and see each of them enhanced", clicks=2),
    "open folder": Task(title="drop a folder with radiographs and other files in it", clicks=1),
    "open zip": Task(title="drop a ZIP archive of radiographs", clicks=1),
    "open dicomdir": Task(title="drop the DICOMDIR of a disc that holds a viewer too", clicks=1),
    "broken file": Task(title="see why one file failed, and have the others", clicks=2),
    "curtain": Task(title="compare before and after under the curtain, and draw it to the left", clicks=3),
    "blink": Task(title="blink between before and after with a held key", clicks=2),
    "difference": Task(title="see where the enhancement has changed the image", clicks=2),
    "window": Task(title="change window and level, and get the first one back", clicks=3),
    "window keys": Task(title="look at the whole range, its dark half and its bright half by number keys", clicks=4),
    "window of an area": Task(title="see an area in its best window, drawn with the right button", clicks=2),
    "zoom": Task(title="look at a detail at 1:1 and come back to the whole image", clicks=4),
    "zoom apart": Task(title="zoom into the image before alone, and see both of the next one as a whole", clicks=4),
    "turn": Task(title="mirror an image both ways, turn it, turn it back, and invert it", clicks=6),
    "overlay": Task(title="show and hide the patient's data on the image", clicks=3),
    "regions": Task(title="measure contrast-to-noise of two regions before and after", clicks=4),
    "length": Task(title="measure a length in millimetres", clicks=3),
    "preset": Task(title="enhance one image with another preset, and take that back", clicks=5),
    "model file": Task(title="read the card of a model in a file, and enhance an image with it", clicks=6),
    "everything again": Task(title="enhance all images with one preset", clicks=4),
    "sliders": Task(title="adjust the processing with a slider, and see it", clicks=4),
    "pause": Task(title="hold the queue and let it go on", clicks=3),
    "remove": Task(title="remove an image from the list, and get it back", clicks=4),
    "export dicom": Task(title="export all images as DICOM beside the untouched originals", clicks=2),
    "export png": Task(title="export one image as PNG as it is displayed", clicks=5),
    "export tiff": Task(title="export one image with all of its values as TIFF", clicks=4),
    "export elsewhere": Task(title="export into another folder what could not be written", clicks=6),
    "export twice": Task(title="export again without losing what is there", clicks=5),
    "export new": Task(title="export the images of a second folder, and none of the first again", clicks=4),
    "clear list": Task(title="clear the list for the next patient after the export", clicks=4),
    "filter": Task(title="find one patient's image in the list, and show all again", clicks=4),
    "grade": Task(title="grade a pair blind and get the statistics", clicks=17),
    "killed worker": Task(title="go on after the worker was killed", clicks=3),
    "close unexported": Task(
        title="close the window with results that are not exported, after a second thought", clicks=5
    ),
    "palette": Task(title="read in a bright room: choose the light colours", clicks=4),
    "language": Task(title="choose another language, and have it when the window is opened again", clicks=5),
    "tour": Task(title="read the two-minute tour", clicks=2),
    "diagnose": Task(title="see whether this machine has all that it needs", clicks=3),
    "data": Task(title="drop a folder to train on; see its counts, split and problems", clicks=3),
    "technique": Task(title="see what a technique saves, and with which others it does not go", clicks=7),
    "fit": Task(title="let the planner fit a training into a budget, and take its plan", clicks=6),
    "review": Task(title="approve, reject and adjust references, and train without the rejected one", clicks=10),
    "train": Task(title="start a training and see it complete", clicks=3),
    "out of memory": Task(title="see a training that runs out of memory go on in less", clicks=5),
    "stop": Task(title="stop a training and keep its model", clicks=2),
    "pause training": Task(title="pause a training, and resume it exactly", clicks=4),
    "discard": Task(title="cancel a training and discard all of it", clicks=3),
    "close training": Task(title="close the window while it trains, and find the training again", clicks=4),
    "train elsewhere": Task(
        title="add another machine, train there, close the window, and find the training again", clicks=17
    ),
    "line cut": Task(title="see that the line to a training elsewhere is cut, and is back; stop it there", clicks=3),
    "machine not ready": Task(title="see why another machine cannot train, and train here", clicks=4),
    "enhance elsewhere": Task(
        title="see why one machine is not ready, enhance on another, and go on here when it is lost", clicks=10
    ),
    "enhance on several": Task(
        title="enhance on two machines, see that one is lost, and let this computer enhance with them", clicks=13
    ),
    "where": Task(title="see whether two processes would train faster here than one", clicks=2),
    "killed training": Task(title="resume a training whose worker was killed", clicks=2),
    "died unseen": Task(title="resume a training that died while the window was closed", clicks=1),
    "report of the dead": Task(title="see the report of a training that died while the window was closed", clicks=1),
    "compare runs": Task(title="compare two runs: curves over each other, images side by side", clicks=4),
    "report html": Task(title="write a report of a run as a web page", clicks=6),
    "report pdf": Task(title="write a report of a run with its radiograph as PDF", clicks=8),
    "keep model": Task(title="keep the model of a run, and see its card", clicks=6),
    "export model": Task(title="export a model as one file", clicks=5),
    "default model": Task(title="let a model be taken for a body part", clicks=5),
    "look before a switch": Task(
        title="see one's own images with another model beside what is in use, and then use it", clicks=9
    ),
    "name run": Task(title="give a run a name and notes", clicks=6),
    "delete run": Task(title="delete a run", clicks=4),
}
