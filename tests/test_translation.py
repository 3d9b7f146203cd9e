"""A language without Qt: texts by their context, sentences with values, numbers in its signs."""

from __future__ import annotations

import pytest

from fullfield import files, translation
from fullfield.errors import FullfieldError, UsageError
from fullfield.report.words import Words
from fullfield.translation import Language, language


def test_that_a_text_is_looked_up_in_its_context() -> None:
    assert language("es").translate("report", "Memory") == "Memoria"
    assert language("es").translate("nowhere", "Memory") == "Memory"
    assert language("en").translate("report", "Memory") == "Memory"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "cuda:0 was asked for. NVIDIA H100 PCIe, 79.1 GiB free.",
            "Se pidió cuda:0. NVIDIA H100 PCIe, 79,1 GiB libres.",
        ),
        ("The system says: No space left on device.", "El sistema dice: No space left on device."),
        (
            "Memory: forward 700.0 MiB, backward 750.0 MiB, of 800.0 MiB predicted (what torch gave out; the whole "
            "process, without a graphics card, held up to 1.4 GiB). Most was held in the backward phase, by the "
            "gradients of a convolution (aten::convolution_backward).",
            "Memoria: ida 700,0 MiB, vuelta 750,0 MiB, de 800,0 MiB previstos (lo que repartió torch; el proceso "
            "entero, sin tarjeta gráfica, llegó a ocupar 1,4 GiB). El máximo se alcanzó en la fase de vuelta, por los "
            "gradientes de una convolución (aten::convolution_backward).",
        ),
        (
            "Enhancing on the CPU in fp32, the whole image at once.",
            "Realzando en la CPU, en fp32: la imagen entera de una vez.",
        ),
        (
            "Look at this result twice: fine structure of the image has been softened. Besides, it shows texture that "
            "the image does not have.",
            "Mire este resultado dos veces: la estructura fina de la imagen se ha suavizado. Además, muestra una "
            "textura que la imagen no tiene.",
        ),
        (
            "Your model for this body part was not used; a preset was. Its file has been changed since it was chosen.",
            "Su modelo para esta parte del cuerpo no se usó, sino un preajuste. Su archivo ha cambiado desde que se "
            "eligió.",
        ),
        (
            "The model could not be held against others, and is not offered: Cannot use the model file. Its file has "
            "been changed since it was chosen.",
            "El modelo no se pudo comparar con otros y no se ofrece: No se puede usar el archivo del modelo. Su "
            "archivo ha cambiado desde que se eligió.",
        ),
        ("Something else that nobody knows, 1.5 GiB.", "Something else that nobody knows, 1.5 GiB."),
    ],
)
def test_that_what_the_engine_says_is_said_with_its_values(text: str, said: str) -> None:
    assert language("es").say(text) == said
    assert language("en").say(text) == text


def test_that_numbers_have_the_signs_that_are_given() -> None:
    assert language("es").written("1,234.5 s") == "1.234,5 s"
    assert language("es", decimal=".", thousands=",").written("1,234.5 s") == "1,234.5 s"


def test_that_a_number_below_zero_has_the_minus_of_print_and_what_can_be_typed_keeps_its_hyphen() -> None:
    words = Words(language=language("es"))
    assert words.number(-0.01, 2) == "−0,01" == words.language.written("−0.01")
    assert (words.number(-5, 0), words.number(-1234.5, 1)) == ("−5", "−1234,5")
    assert words.language.written("of one-0.5, 1e-05 and --gain -0.5") == "of one-0.5, 1e-05 and --gain -0.5"


def test_that_a_language_that_is_not_ours_is_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError, match="en, es"):
        language("fr")


def test_that_texts_stay_english_where_the_translators_file_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise FullfieldError(name)

    translation._texts.cache_clear()
    monkeypatch.setattr(files, "resource", missing)
    assert Language(code="es").translate("report", "Memory") == "Memory"
    translation._texts.cache_clear()
