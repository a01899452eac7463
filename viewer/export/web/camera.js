// Orbits a target, z up. Matrices are columns, one after the other.

class Camera {
  constructor(home, canvas) {
    this.home = home;
    this.canvas = canvas;
    this.reset();
  }

  reset() {
    const { target, azimuth, elevation, distance, field_of_view, aspect } = this.home;
    Object.assign(this, { target: [...target], azimuth, elevation, field_of_view });
    this.distance = distance * Math.max(1, aspect / this.aspect); // a narrow page sees it all too
    this.touched = false;
  }

  // Of the page; a frame that is not laid out yet has no size, and counts as one that suits.
  get aspect() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    return width && height ? width / height : this.home.aspect;
  }

  get axes() {
    const ca = Math.cos(this.azimuth), sa = Math.sin(this.azimuth);
    const ce = Math.cos(this.elevation), se = Math.sin(this.elevation);
    return [[-sa, ca, 0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]];
  }

  get eye() {
    return this.axes[2].map((value, axis) => this.target[axis] + this.distance * value);
  }

  get viewProjection() {
    const [right, up, back] = this.axes, eye = this.eye;
    const near = this.distance / 100, far = this.distance * 3 + this.home.distance * 6;
    const focal = 1 / Math.tan(this.field_of_view / 2);
    const depth = (far + near) / (near - far), shift = (2 * far * near) / (near - far);
    const scales = [[right, focal / this.aspect], [up, focal], [back, depth], [back, -1]];
    const matrix = new Float32Array(16);
    scales.forEach(([axes, scale], row) => {
      for (let axis = 0; axis < 3; axis++) matrix[4 * axis + row] = scale * axes[axis];
      matrix[12 + row] = -scale * (axes[0] * eye[0] + axes[1] * eye[1] + axes[2] * eye[2]);
    });
    matrix[14] += shift;
    return matrix;
  }

  turn(dx, dy) {
    this.touched = true;
    this.azimuth -= dx * 0.006;
    this.elevation = clamp(this.elevation + dy * 0.006, -0.1, Math.PI / 2);
  }

  move(dx, dy) {
    this.touched = true;
    const [right, up] = this.axes;
    const scale = (2 * this.distance * Math.tan(this.field_of_view / 2)) / this.canvas.clientHeight;
    for (let axis = 0; axis < 3; axis++)
      this.target[axis] += scale * (dy * up[axis] - dx * right[axis]);
  }

  zoom(factor) {
    this.touched = true;
    this.distance = clamp(this.distance * factor, 0.5, this.home.distance * 5);
  }
}
