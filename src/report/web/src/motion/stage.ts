/** The scene of a motion: light, camera, bodies. It draws when it is asked to. */

import { Color, DirectionalLight, HemisphereLight, type Object3D, PCFShadowMap, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Motion } from "../run/motion.ts";
import { theme } from "../page/theme.ts";
import { arrayActorOf, eachPlace } from "./arrays.ts";
import { type Actor, actorOf } from "./bodies.ts";
import { type Ghost, ghostActor } from "./ghosts.ts";
import { Moments } from "./moments.ts";
import { type Bounds, type Point, boundsAt, boundsOf, pointOf, united } from "./poses.ts";
import type { Tape } from "./tape.ts";

export type Preset = "start" | "front" | "side" | "top";

const FIELD = 32;
/** Size of a motion, relative to its bodies, beyond which these are too small to be seen in a picture of the whole. */
const FAR = 7;
/** Size of the picture around bodies that the camera goes along with, relative to them. */
const AROUND = 2.5;
const DIRECTIONS: Record<Exclude<Preset, "start">, Point> = { front: [0, -1, 0.12], side: [1, 0, 0.12], top: [0, -0.001, 1] };

/** Returns whether WebGL draws without a graphics card, as in virtual machines. */
function drawsOnProcessor(context: WebGL2RenderingContext): boolean {
  const info = context.getExtension("WEBGL_debug_renderer_info");
  return info !== null && /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)));
}

/** Returns the place to draw on, and whether the processor draws: soft edges and shadows would cost half a second a picture there. Throws if the browser draws no WebGL. */
function surface(): { canvas: HTMLCanvasElement; context: WebGL2RenderingContext; plain: boolean } {
  const made = (antialias: boolean) => {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2", { antialias });
    if (!context) throw new Error("no WebGL");
    return { canvas, context, plain: drawsOnProcessor(context) };
  };
  const soft = made(true);
  if (!soft.plain) return soft;
  soft.context.getExtension("WEBGL_lose_context")?.loseContext();
  return made(false);
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly camera = new PerspectiveCamera(FIELD, 1, 0.01, 1000);
  private readonly controls: OrbitControls;
  private readonly scene = new Scene();
  /** True if the processor draws. */
  private readonly plain: boolean;
  private readonly sun = new DirectionalLight("#ffffff", 2.4);
  private actors: Actor[] = [];
  private ghosts: readonly Ghost[] = [];
  private ghostActors: Actor[] = [];
  /** Objects that are no longer in the scene. They are disposed of after the next picture, which keeps the shaders that old and new bodies share. */
  private removed: Object3D[] = [];
  private keys: string[] = [];
  private motion: Motion | undefined;
  private tape: Tape | undefined;
  private moments = new Moments([]);
  private bounds: Bounds = { low: [-1, -1, -1], high: [1, 1, 1], radius: 1, middle: [0, 0, 0] };
  private time = 0;
  private wanted = false;
  /** The body that the camera goes along with, as an index of bodies. */
  private followed = -1;
  private readonly followedAt = new Vector3();

  /** Throws if the browser draws no WebGL. */
  constructor() {
    const { canvas, context, plain } = surface();
    this.plain = plain;
    this.renderer = new WebGLRenderer({ canvas, context });
    this.canvas = canvas;
    // Asking for the errors of a shader waits until it is compiled.
    this.renderer.debug.checkShaderErrors = false;
    this.renderer.shadowMap.enabled = !plain;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    // The wheel scrolls the page until the picture has the focus.
    this.controls.enableZoom = false;
    this.canvas.addEventListener("focus", () => (this.controls.enableZoom = true));
    this.canvas.addEventListener("blur", () => (this.controls.enableZoom = false));
    this.controls.addEventListener("change", () => this.draw());
    this.scene.add(new HemisphereLight("#ffffff", "#8a93a0", 1.6), this.sun, this.sun.target);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
  }

  /** Shows a motion, and others as its ghosts; the camera stays where it is if `keep` is set. */
  show(motion: Motion, tape: Tape, keep = false, ghosts: readonly Ghost[] = []): void {
    this.motion = motion;
    this.tape = tape;
    this.moments = new Moments(motion.moments);
    this.ghosts = ghosts;
    this.bounds = united([boundsOf(motion, tape, (take) => eachPlace(motion, this.moments, take)), ...ghosts.map((ghost) => boundsOf(ghost.motion, ghost.tape))]);
    if (!keep) {
      this.followed = this.travelsFar ? this.leader : -1;
      this.standBeside();
    }
    // Curves of a run that a slider asked for are drawn first: where the processor draws, they would wait for the scene.
    if (keep && this.plain) this.draw(1);
    this.rebuild(keep);
    if (!keep) this.look("start");
  }

  /** True if the camera goes along with a body. */
  get follows(): boolean {
    return this.followed >= 0;
  }

  /** True if the bodies are too small to be seen in a picture of the whole way, and nothing says where the camera stands. */
  private get travelsFar(): boolean {
    const { bounds, motion, tape } = this;
    if (!motion || !tape || motion.camera || motion.arrays.length > 0 || this.leader < 0) return false;
    const { low, high, radius } = boundsAt(motion, tape, [tape.times[0] as number]);
    return low.some((value, c) => value < (high[c] as number)) && bounds.radius > FAR * radius;
  }

  /** What the camera looks at: the whole motion, or what is around the bodies that it goes along with. */
  private get framed(): Bounds {
    const { bounds, motion, tape } = this;
    if (!this.follows || !motion || !tape || !this.travelsFar) return bounds;
    const near = boundsAt(motion, tape, [this.time]);
    return { ...near, radius: AROUND * near.radius };
  }

  /**
   * Makes the bodies anew, e.g. in other colours. If `reuse` is set, those that are stated as before stay, except what is
   * made of the run itself.
   */
  rebuild(reuse = false): void {
    const { motion, tape, bounds } = this;
    if (!motion || !tape) return;
    const [older, olderKeys] = [this.actors, this.keys];
    this.scene.background = new Color(theme().panel);
    this.keys = motion.bodies.map((body) => JSON.stringify(body));
    this.actors = motion.bodies.map((body, index) => {
      const same = reuse && body.shape !== "path" && body.shape !== "ground" && olderKeys[index] === this.keys[index];
      return (same && older[index]) || actorOf(body, index, motion.bodies, tape, bounds, this.plain);
    });
    this.actors.push(...motion.arrays.map((array, index) => arrayActorOf(array, index, motion, this.moments, bounds, this.plain)));
    this.actors.forEach(({ object }, index) => {
      const on = motion.bodies[index]?.on;
      const parent = on === undefined ? -1 : motion.bodies.findIndex(({ name }) => name === on);
      (this.actors[parent]?.object ?? this.scene).add(object);
    });
    const faint = this.ghostActors;
    this.ghostActors = this.ghosts.map((ghost) => ghostActor(ghost, bounds, this.plain));
    for (const { object } of this.ghostActors) this.scene.add(object);
    for (const { object } of [...older.filter((actor) => !this.actors.includes(actor)), ...faint]) {
      object.removeFromParent();
      this.removed.push(object);
    }
    this.light();
    this.update(this.time);
  }

  private light(): void {
    const { middle, radius } = this.framed;
    const reach = 1.6 * radius;
    this.sun.target.position.set(...middle);
    this.sun.position.set(middle[0] + 1.2 * radius, middle[1] - 1.6 * radius, middle[2] + 3 * radius);
    const { camera } = this.sun.shadow;
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * radius, far: 8 * radius });
    camera.updateProjectionMatrix();
    this.sun.shadow.bias = -0.0008;
    this.sun.shadow.normalBias = 0.01 * radius;
  }

  update(time: number): void {
    this.time = time;
    if (!this.tape || !this.motion) return;
    const values = this.tape.evaluate(time);
    for (const actor of [...this.actors, ...this.ghostActors]) actor.update(values, time);
    const body = this.motion.bodies[this.followed];
    if (body) {
      const now = new Vector3(...pointOf(values, body.at ?? body.to));
      const moved = now.clone().sub(this.followedAt);
      if (Number.isFinite(moved.length())) {
        this.camera.position.add(moved);
        this.controls.target.add(moved);
        this.sun.position.add(moved);
        this.sun.target.position.add(moved);
        this.followedAt.copy(now);
        this.controls.update();
      }
    }
    this.draw();
  }

  /** The body that the camera may go along with: the first that changes its place. */
  get leader(): number {
    const { tape } = this;
    return this.motion?.bodies.findIndex(({ shape, at, on }) => shape !== "path" && shape !== "ground" && on === undefined && at?.some((k) => tape?.varies(k))) ?? -1;
  }

  follow(on: boolean): void {
    this.followed = on ? this.leader : -1;
    this.standBeside();
    this.update(this.time);
  }

  /** Notes where the body stands that the camera goes along with from here. */
  private standBeside(): void {
    const body = this.motion?.bodies[this.followed];
    if (body && this.tape) this.followedAt.set(...pointOf(this.tape.evaluate(this.time), body.at));
  }

  look(preset: Preset): void {
    const { bounds, camera, controls, framed } = this;
    const stated = this.motion?.camera;
    controls.target.set(...framed.middle);
    camera.up.set(0, 0, 1);
    if (preset === "start" && stated) {
      camera.up.set(...(stated.up as Point));
      camera.position.set(...(stated.from as Point));
      controls.target.set(...(stated.at as Point));
    } else {
      const along = new Vector3(...(preset === "start" ? this.direction() : DIRECTIONS[preset])).normalize();
      const narrow = Math.min(1, camera.aspect);
      const distance = (0.95 * framed.radius) / Math.sin((FIELD * Math.PI) / 360) / narrow;
      camera.position.copy(controls.target).addScaledVector(along, distance);
    }
    const away = camera.position.distanceTo(controls.target);
    camera.near = 0.01 * Math.min(away, bounds.radius);
    camera.far = 20 * (away + bounds.radius);
    camera.updateProjectionMatrix();
    controls.update();
    this.light();
    this.draw();
  }

  /** Returns the direction of view. A motion in a plane is seen from in front of that plane. */
  private direction(): Point {
    const size = this.bounds.high.map((high, c) => high - (this.bounds.low[c] as number)) as Point;
    const flat = 0.02 * Math.max(...size);
    if (size[1] <= flat) return [0.12, -1, 0.14];
    if (size[2] <= flat) return [0.25, -0.9, 0.95];
    return [0.9, -1.5, 0.8];
  }

  /** Turns the camera by angles about the vertical and the horizon, and moves it by a factor of its distance. */
  turn(across: number, up: number, factor = 1): void {
    const away = this.camera.position.clone().sub(this.controls.target);
    away.applyAxisAngle(this.camera.up, across);
    const side = new Vector3().crossVectors(this.camera.up, away).normalize();
    const tilted = away.clone().applyAxisAngle(side, up);
    if (Math.abs(tilted.clone().normalize().dot(this.camera.up)) < 0.999) away.copy(tilted);
    this.camera.position.copy(this.controls.target).add(away.multiplyScalar(factor));
    this.controls.update();
    this.draw();
  }

  /** The line under a point of the window, among bodies that stand where the time says, even if their picture is drawn with the next frame. */
  private ray(x: number, y: number): Raycaster {
    this.scene.updateMatrixWorld();
    this.camera.updateMatrixWorld();
    const box = this.canvas.getBoundingClientRect();
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height), this.camera);
    return caster;
  }

  /** The bodies under a point of the window, the nearest first, as indices. */
  bodiesAt(x: number, y: number): number[] {
    const within = (object: Object3D): number => {
      for (let part: Object3D | null = object; part; part = part.parent) {
        const index = this.actors.findIndex((actor) => actor.object === part);
        if (index >= 0) return index;
      }
      return -1;
    };
    return this.ray(x, y).intersectObjects(this.actors.map(({ object }) => object), true).map(({ object }) => within(object));
  }

  /** The line of sight under a point of the window: a point of it, and its direction. */
  sightAt(x: number, y: number): { from: Point; along: Point } {
    const { origin, direction } = this.ray(x, y).ray;
    return { from: origin.toArray(), along: direction.toArray() };
  }

  /** Returns the place of a point of space in the window. */
  windowPoint(point: Point): [number, number] {
    this.camera.updateMatrixWorld();
    const box = this.canvas.getBoundingClientRect();
    const { x, y } = new Vector3(...point).project(this.camera);
    return [box.left + ((x + 1) / 2) * box.width, box.top + ((1 - y) / 2) * box.height];
  }

  /** Sets whether drags turn the view. */
  set turns(on: boolean) {
    this.controls.enabled = on;
  }

  resize(width: number, height: number): void {
    if (width <= 0 || height <= 0) return;
    this.renderer.setPixelRatio(this.plain ? 1 : Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  /** Draws once before the next frame is shown, or as many frames later. */
  draw(later = 0): void {
    if (this.wanted) return;
    this.wanted = true;
    const wait = (frames: number) => requestAnimationFrame(() => (frames > 0 ? wait(frames - 1) : this.drawNow()));
    wait(later);
  }

  drawNow(): void {
    this.wanted = false;
    this.renderer.render(this.scene, this.camera);
    this.removed.splice(0).forEach(dispose);
  }
}

function dispose(object: Object3D): void {
  object.traverse((part) => {
    const { geometry, material } = part as { geometry?: { dispose(): void }; material?: { dispose(): void } | { dispose(): void }[] };
    geometry?.dispose();
    for (const one of Array.isArray(material) ? material : material ? [material] : []) one.dispose();
  });
}
