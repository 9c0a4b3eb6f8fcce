/** Meshes of unit size for the shapes of a view. */

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  ConeGeometry,
  CylinderGeometry,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  SphereGeometry,
  TorusGeometry,
} from "three";

export const solid = (color: string, more: { roughness?: number } = {}): MeshStandardMaterial => new MeshStandardMaterial({ color, roughness: more.roughness ?? 0.45, metalness: 0.05 });

function shaded(mesh: Mesh): Mesh {
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

/** Octants in two shades, so that one sees it turn. */
function beachBall(): BufferGeometry {
  const geometry = new SphereGeometry(1, 48, 32).toNonIndexed();
  const place = geometry.getAttribute("position");
  const colors = new Float32Array(3 * place.count);
  for (let face = 0; face < place.count; face += 3) {
    const middle = (axis: "getX" | "getY" | "getZ") => place[axis](face) + place[axis](face + 1) + place[axis](face + 2);
    const light = middle("getX") * middle("getY") * middle("getZ") > 0 ? 1 : 0.45;
    colors.fill(light, 3 * face, 3 * face + 9);
  }
  geometry.setAttribute("color", new BufferAttribute(colors, 3));
  return geometry;
}

export function sphere(color: string, turns: boolean): Object3D {
  if (!turns) return shaded(new Mesh(new SphereGeometry(1, 40, 28), solid(color, { roughness: 0.3 })));
  const material = solid(color, { roughness: 0.35 });
  material.vertexColors = true;
  return shaded(new Mesh(beachBall(), material));
}

/** Returns a sphere of fewer faces, for rows of many spheres, and of still fewer where the processor draws them. */
export const manySpheres = (color: string, plain: boolean): Object3D => shaded(new Mesh(plain ? new SphereGeometry(1, 8, 6) : new SphereGeometry(1, 14, 9), solid(color, { roughness: 0.3 })));

/** Returns a box whose front, towards +x, is lighter, so that its heading is seen. */
export function box(color: string, edge: string): Object3D {
  const geometry = new BoxGeometry(1, 1, 1);
  const side = () => solid(color);
  const front = side();
  front.color.lerp(front.color.clone().set("#ffffff"), 0.55);
  const body = shaded(new Mesh(geometry, [front, side(), side(), side(), side(), side()]));
  body.add(new LineSegments(new EdgesGeometry(geometry), new LineBasicMaterial({ color: edge, transparent: true, opacity: 0.45 })));
  return body;
}

/** Returns a rod along y, from -1/2 to 1/2. */
export const rod = (color: string): Object3D => shaded(new Mesh(new CylinderGeometry(1, 1, 1, 20), solid(color)));

/** Returns a wheel of radius 1 about its axle y, and of width 1. */
export function wheel(color: string, mark: string): Object3D {
  const group = new Group();
  const rim = shaded(new Mesh(new TorusGeometry(0.92, 0.08, 16, 72), solid(color)));
  rim.rotateX(Math.PI / 2);
  const disc = shaded(new Mesh(new CylinderGeometry(0.86, 0.86, 0.5, 56), solid(color)));
  const turning = disc.material as MeshStandardMaterial;
  turning.transparent = true;
  turning.opacity = 0.4;
  group.add(rim, disc);
  for (let k = 0; k < 3; ++k) {
    const spoke = shaded(new Mesh(new BoxGeometry(1.8, 0.8, 0.06), solid(k === 0 ? mark : color)));
    spoke.rotateY((k * Math.PI) / 3);
    group.add(spoke);
  }
  const hub = shaded(new Mesh(new CylinderGeometry(0.1, 0.1, 1.1, 24), solid(mark)));
  group.add(hub);
  return group;
}

/** Arrows of length 1 along x, y and z. */
export function frame(colors: readonly string[]): Object3D {
  const group = new Group();
  colors.forEach((color, axis) => {
    const arrow = new Group();
    const shaft = shaded(new Mesh(new CylinderGeometry(0.022, 0.022, 0.86, 14), solid(color)));
    const head = shaded(new Mesh(new ConeGeometry(0.065, 0.18, 20), solid(color)));
    shaft.position.y = 0.43;
    head.position.y = 0.92;
    arrow.add(shaft, head);
    if (axis === 0) arrow.rotateZ(-Math.PI / 2);
    if (axis === 2) arrow.rotateX(Math.PI / 2);
    group.add(arrow);
  });
  return group;
}
