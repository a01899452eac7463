"""A USD stage under construction: unique names, materials, meshes, motions.

Pixar (2016-2026), "Universal Scene Description", https://openusd.org: schemas UsdGeom, UsdShade.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.places import distinct
from rmp3d.scenes.paint import NO_PICTURE, Paint
from rmp3d.viewer.export.gltf_meshes import MOST_MATERIALS
from rmp3d.viewer.shapes.surfaces import corner_normals

FPS = 30.0
"""Time codes a second: the time t [s] is at time code ``FPS * t``."""


def usd() -> Any:
    """Return Pixar's package.

    Raises:
        InputError: It is not installed.
    """
    try:
        import pxr
    except ImportError:
        raise InputError(
            "USD needs usd-core, which is not installed here; `pip install 'rmp3d[usd]'`, "
            "or write a .glb"
        ) from None
    return pxr


class UsdStage:
    """A stage in memory, z up, in meters, and what is added to it.

    Attributes:
        stage: Of Pixar's package.
        layer: Its only layer.
        pictures: Names of files beside it and what is in them, by the identity of the latter.
    """

    def __init__(self, suffix: str) -> None:
        usd()
        from pxr import Sdf, Usd, UsdGeom

        self.layer = Sdf.Layer.CreateAnonymous(suffix)
        self.stage = Usd.Stage.Open(self.layer)
        UsdGeom.SetStageUpAxis(self.stage, UsdGeom.Tokens.z)
        UsdGeom.SetStageMetersPerUnit(self.stage, 1.0)
        self.stage.SetTimeCodesPerSecond(FPS)
        self.stage.SetFramesPerSecond(FPS)
        self.stage.SetFramesPerSecond(FPS)
        self._taken: set[str] = set()
        self._materials: dict[tuple[str, tuple[float, ...]], Any] = {}
        self.pictures: dict[int, tuple[str, bytes]] = {}

    def name(self, above: str, name: str) -> str:
        """Return a path below another one that nothing has yet, for something with any name."""
        from pxr import Tf

        plain = Tf.MakeValidIdentifier(name)
        path, number = f"{above}/{plain}", 1
        while path in self._taken:
            number += 1
            path = f"{above}/{plain}_{number}"
        self._taken.add(path)
        return path

    def xform(self, above: str, name: str) -> Any:
        """Add a node with a place of its own; people see its full name."""
        from pxr import UsdGeom

        made = UsdGeom.Xform.Define(self.stage, self.name(above, name))
        made.GetPrim().SetDisplayName(name)
        return made

    def mesh(
        self,
        above: str,
        name: str,
        mesh: TriangleMesh,
        colors: Float,
        materials: str,
        paint: Paint | None = None,
    ) -> Any:
        """Add triangles of F faces with linear colors (F, 3); return the mesh.

        Triangles without area are left out: they have no normal.

        Args:
            above: Path of its parent.
            name: For people.
            mesh: F faces [m].
            colors: Linear light.
            materials: Path of the scope that its materials are in.
            paint: Pictures on its faces.
        """
        from pxr import Sdf, UsdGeom, Vt

        solid = np.any(mesh.normals, axis=1)
        if solid.any():
            mesh, colors = mesh.select(solid), colors[solid]
            paint = paint and paint.select(solid)
        made = UsdGeom.Mesh.Define(self.stage, self.name(above, name))
        made.GetPrim().SetDisplayName(name)
        made.CreatePointsAttr(_points(mesh.vertices))
        made.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(mesh.faces), 3, "i4")))
        corners = np.ascontiguousarray(mesh.faces.reshape(-1), np.int32)
        made.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(corners))
        made.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        made.CreateDoubleSidedAttr(True)
        made.CreateExtentAttr(_points(mesh.bounds))
        made.CreateNormalsAttr(_points(corner_normals(mesh).reshape(-1, 3)))
        made.SetNormalsInterpolation(UsdGeom.Tokens.faceVarying)
        color = made.CreateDisplayColorPrimvar(UsdGeom.Tokens.uniform)
        shades, shade_of = distinct(np.round(np.clip(colors, 0.0, 1.0), 4))
        color.Set(_points(shades))
        color.SetIndices(Vt.IntArray.FromNumpy(shade_of.astype(np.int32)))
        if paint is None:
            self._paint(made, shades, shade_of, materials)
            return made
        places = UsdGeom.PrimvarsAPI(made).CreatePrimvar(
            "st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.faceVarying
        )
        at = np.ascontiguousarray(paint.places.reshape(-1, 2), np.float32)
        places.Set(Vt.Vec2fArray.FromNumpy(at))
        bare = np.flatnonzero(paint.picture == NO_PICTURE)
        if len(bare):
            self._subset(made, "plain", bare, self.material(materials, None))
        for row in paint.used():
            own = np.flatnonzero(paint.picture == row)
            shown = self._picture_material(materials, paint.pictures[row])
            self._subset(made, f"picture_{row + 1}", own, shown)
        return made

    def _subset(self, made: Any, name: str, rows: Any, material: Any) -> None:
        """Bind a material to some faces of a mesh."""
        from pxr import UsdGeom, UsdShade, Vt

        subset = UsdGeom.Subset.CreateGeomSubset(
            made, name, UsdGeom.Tokens.face, Vt.IntArray.FromNumpy(rows.astype(np.int32)),
            "materialBind", UsdGeom.Tokens.partition,
        )  # fmt: skip
        UsdShade.MaterialBindingAPI.Apply(subset.GetPrim()).Bind(material)

    def _picture_material(self, scope: str, data: bytes) -> Any:
        """Return the material of a picture, which is in a file beside the layer."""
        from pxr import Sdf, UsdGeom, UsdShade

        if id(data) not in self.pictures:
            kind = "png" if data.startswith(b"\x89PNG") else "jpg"
            self.pictures[id(data)] = f"pictures/{len(self.pictures) + 1}.{kind}", data
        file = self.pictures[id(data)][0]
        key = f"{scope} {file}", ()
        if key in self._materials:
            return self._materials[key]
        UsdGeom.Scope.Define(self.stage, scope)
        made, surface = self._surface(scope, "picture")
        types = Sdf.ValueTypeNames
        reader = UsdShade.Shader.Define(self.stage, made.GetPath().AppendChild("reader"))
        reader.CreateIdAttr("UsdPrimvarReader_float2")
        reader.CreateInput("varname", types.String).Set("st")
        picture = UsdShade.Shader.Define(self.stage, made.GetPath().AppendChild("picture"))
        picture.CreateIdAttr("UsdUVTexture")
        picture.CreateInput("file", types.Asset).Set(Sdf.AssetPath(file))
        picture.CreateInput("sourceColorSpace", types.Token).Set("sRGB")
        for name in ("wrapS", "wrapT"):
            picture.CreateInput(name, types.Token).Set("repeat")
        place = reader.CreateOutput("result", types.Float2)
        picture.CreateInput("st", types.Float2).ConnectToSource(place)
        color = picture.CreateOutput("rgb", types.Float3)
        surface.CreateInput("diffuseColor", types.Color3f).ConnectToSource(color)
        if file.endswith("png"):
            opaque = picture.CreateOutput("a", types.Float)
            surface.CreateInput("opacity", types.Float).ConnectToSource(opaque)
            surface.CreateInput("opacityThreshold", types.Float).Set(0.5)
        self._materials[key] = made
        return made

    def _surface(self, scope: str, name: str) -> tuple[Any, Any]:
        """Return a new material and its shader."""
        from pxr import Sdf, UsdShade

        made = UsdShade.Material.Define(self.stage, self.name(scope, name))
        surface = UsdShade.Shader.Define(self.stage, made.GetPath().AppendChild("surface"))
        surface.CreateIdAttr("UsdPreviewSurface")
        surface.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(0.9)
        out = surface.CreateOutput("surface", Sdf.ValueTypeNames.Token)
        made.CreateSurfaceOutput().ConnectToSource(out)
        return made, surface

    def _paint(self, made: Any, shades: Float, shade_of: Any, materials: str) -> None:
        """Bind a material for each color, or one that has the colors of the faces."""
        from pxr import UsdShade

        if len(shades) == 1 or len(shades) > MOST_MATERIALS:
            of = shades[0] if len(shades) == 1 else None
            UsdShade.MaterialBindingAPI.Apply(made.GetPrim()).Bind(self.material(materials, of))
            return
        for row, shade in enumerate(shades):
            faces = np.flatnonzero(shade_of == row)
            self._subset(made, f"color_{row + 1}", faces, self.material(materials, shade))

    def material(self, scope: str, shade: Float | None) -> Any:
        """Return the material of a linear color (3,), or the one of colors of faces."""
        from pxr import Gf, Sdf, UsdGeom, UsdShade

        key = scope, tuple([] if shade is None else shade.tolist())
        if key in self._materials:
            return self._materials[key]
        UsdGeom.Scope.Define(self.stage, scope)
        name = "painted" if shade is None else "color_" + _hexadecimal(shade)
        made, surface = self._surface(scope, name)
        color = surface.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f)
        if shade is None:
            reader = UsdShade.Shader.Define(self.stage, made.GetPath().AppendChild("reader"))
            reader.CreateIdAttr("UsdPrimvarReader_float3")
            reader.CreateInput("varname", Sdf.ValueTypeNames.String).Set("displayColor")
            found = reader.CreateOutput("result", Sdf.ValueTypeNames.Float3)
            color.ConnectToSource(found)
        else:
            color.Set(Gf.Vec3f(*map(float, shade)))
        self._materials[key] = made
        return made

    def samples(self, attribute: Any, times: NDArray[np.floating], values: Any) -> None:
        """State an attribute over time: K moments [s] and values; one alone holds always."""
        if len(values) == 1:
            attribute.Set(values[0])
            return
        path = attribute.GetPath()
        for time, value in zip((times * FPS).tolist(), values, strict=True):
            self.layer.SetTimeSample(path, time, value)


def vectors(rows: Float) -> list[Any]:
    """Return rows (K, 3) as vectors of Pixar's package."""
    from pxr import Gf

    return [Gf.Vec3d(*row) for row in rows.tolist()]


def turns(rows: Float) -> list[Any]:
    """Return quaternions (K, 4), scalar first, as those of Pixar's package."""
    from pxr import Gf

    return [Gf.Quatf(*row) for row in rows.tolist()]


def _points(rows: Float) -> Any:
    from pxr import Vt

    return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(rows, np.float32))


def _hexadecimal(color: Float) -> str:
    return "".join(f"{round(255 * value):02x}" for value in color)
