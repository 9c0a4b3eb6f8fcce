"""Nonholonomic systems with equations of motion reduced by hand; constrained_cases.py solves them.

Each case has `start()`, the reduced state at t = 0; `slope(t, s)`, its equations, in which no multiplier of the constraint
appears; and `full(t, s)`, which gives (x, y, z, multipliers). P holds the parameters of a case as 30-digit numbers.
"""

from types import SimpleNamespace

from mpmath import cos, exp, lu_solve as solve, matrix, mpf, sin, sqrt, tan

CASES = []


def exact(text):
    top, _, bottom = text.partition("/")
    return mpf(top) / mpf(bottom or 1)


def skew(entries):
    """Structure functions {a, b, c, value} from (a, b, c, value) with both orders listed."""
    both = [dict(a=a, b=b, c=c, value=v) for a, b, c, v in entries]
    return both + [dict(a=b, b=a, c=c, value=v[1:] if v.startswith("-") else "-" + v) for a, b, c, v in entries]


def identity(n):
    return [["1" if i == a else "0" for a in range(n)] for i in range(n)]


class Case:
    """What a case is unless it says otherwise: nonholonomic, on a tangent bundle, without external forces."""

    rule, kind, force, brackets, times = "nonholonomic", "linear", None, [], [0.0, 0.5, 1.0, 2.0, 5.0]

    def __init__(self):
        self.P = SimpleNamespace(**{k: exact(v) for k, v in self.parameters.items()})
        self.type = self.rule if self.rule == "vakonomic" else f"nonholonomic ({self.kind})"
        if not hasattr(self, "rho"):
            self.rho = identity(len(self.x))
        if not hasattr(self, "sigma"):
            self.sigma = self.rho


def case(cls):
    CASES.append(cls())
    return cls


@case
class Suslov(Case):
    """w = u1 b1 + u2 b2 with b1, b2 across a: the momentum equation, paired with b1 and b2."""

    name = "suslov_nonlinear_action"
    description = "Suslov problem on so(3), forbidden direction (a1,a2,1), action in the kinetic energy and quadratically."
    source = {"paper": "GG08", "item": "(5.10)-(5.11) on so(3), with a Herglotz term"}
    x, y = [], ["w1", "w2", "w3"]
    parameters = {"a1": "1/5", "a2": "-1/10", "gamma": "1/10"}
    brackets = skew([(1, 2, 3, "1"), (2, 3, 1, "1"), (3, 1, 2, "1")])
    rho = []
    lagrangian = "exp(z/8)*(w1**2+17*w2**2/10+21*w3**2/10+4*w1*w3/5-3*w2*w3/5)/2-gamma*z-z**2/20"
    constraints = ["a1*w1+a2*w2+w3"]
    I = matrix([["1", "0", "0.4"], ["0", "1.7", "-0.3"], ["0.4", "-0.3", "2.1"]])

    def start(self):
        return [mpf(1), mpf("0.8"), mpf("0.1")]

    def parts(self, s):
        P = self.P
        B = matrix([[1, 0], [0, 1], [-P.a1, -P.a2]])
        w = B * matrix(s[:2])
        M = self.I * w
        return B, w, M, matrix([M[1] * w[2] - M[2] * w[1], M[2] * w[0] - M[0] * w[2], M[0] * w[1] - M[1] * w[0]])

    def slope(self, t, s):
        B, w, M, gyration = self.parts(s)
        z, kinetic = s[2], exp(s[2] / 8) * (w.T * M)[0] / 2
        L = kinetic - self.P.gamma * z - z**2 / 20
        rate = kinetic / 8 - self.P.gamma - z / 10
        u = solve(B.T * self.I * B, B.T * (gyration + (rate - L / 8) * M))
        return [u[0], u[1], L]

    def full(self, t, s):
        _, w, _, gyration = self.parts(s)
        a = matrix([self.P.a1, self.P.a2, 1])
        mu = -exp(s[2] / 8) * (a.T * solve(self.I, gyration))[0] / (a.T * solve(self.I, a))[0]
        return [], list(w), s[2], [mu]


@case
class Snakeboard(Case):
    """s = (x, y, th, psi, phi, u, vpsi, vphi, z): forward speed u, turning rate u tan(phi)/l."""

    name = "snakeboard_driven"
    description = "Snakeboard with springs, two periodic torques and damping; two linear constraints, rank 5."
    source = {"paper": "LLMR21", "item": "Thm 3"}
    x, y = ["x", "y", "th", "psi", "phi"], ["vx", "vy", "w", "vpsi", "vphi"]
    parameters = {"m": "1", "l": "1/2", "I": "3/10", "Jr": "3/25", "Jw": "1/20", "k": "1/10", "kk": "1", "gamma": "1/10"}
    lagrangian = "(m*(vx**2+vy**2)+I*w**2+Jr*vpsi**2+Jw*vphi**2)/2+Jr*w*vpsi-k*psi**2/2-kk*phi**2/2-gamma*z"
    constraints = ["vy*cos(th+phi)-vx*sin(th+phi)+l*cos(phi)*w", "vy*cos(th-phi)-vx*sin(th-phi)-l*cos(phi)*w"]
    force = ["0", "0", "0", "2*cos(2*t)/5", "3*sin(2*t-1)/10"]

    def start(self):
        return [mpf(0), mpf("0.1"), mpf("0.2"), mpf("0.1"), mpf("0.3"), mpf("0.2"), mpf("0.1"), mpf("0.2"), mpf("0.05")]

    def rates(self, t, s):
        P, (_, _, th, psi, phi, u, vpsi, vphi, z) = self.P, s
        c = tan(phi) / P.l
        c_dot = vphi / (P.l * cos(phi) ** 2)
        # Forward with turning: m u' + c (I (c u)' + Jr vpsi') = -gamma (m u + c (I c u + Jr vpsi)); the rotor likewise.
        A = matrix([[P.m + P.I * c**2, P.Jr * c], [P.Jr * c, P.Jr]])
        right = matrix([-P.gamma * (P.m * u + c * (P.I * c * u + P.Jr * vpsi)) - P.I * c * c_dot * u,
                        2 * cos(2 * t) / 5 - P.k * psi - P.gamma * P.Jr * (vpsi + c * u) - P.Jr * c_dot * u])
        u_dot, vpsi_dot = solve(A, right)
        vphi_dot = (3 * sin(2 * t - 1) / 10 - P.kk * phi) / P.Jw - P.gamma * vphi
        return c, c_dot * u + c * u_dot, u_dot, vpsi_dot, vphi_dot

    def slope(self, t, s):
        P, (_, _, th, psi, phi, u, vpsi, vphi, z) = self.P, s
        c, _, u_dot, vpsi_dot, vphi_dot = self.rates(t, s)
        w = c * u
        L = ((P.m * u**2 + P.I * w**2 + P.Jr * vpsi**2 + P.Jw * vphi**2) / 2 + P.Jr * w * vpsi - P.k * psi**2 / 2
             - P.kk * phi**2 / 2 - P.gamma * z)
        return [u * cos(th), u * sin(th), w, vpsi, vphi, u_dot, vpsi_dot, vphi_dot, L]

    def full(self, t, s):
        P, (_, _, th, _, phi, u, vpsi, vphi, z) = self.P, s
        c, w_dot, _, vpsi_dot, _ = self.rates(t, s)
        w = c * u
        # The sum of the multipliers holds the board sideways, their difference turns it.
        total = P.m * u * w / cos(phi)
        turn = (P.I * (w_dot + P.gamma * w) + P.Jr * (vpsi_dot + P.gamma * vpsi)) / (P.l * cos(phi))
        return s[:5], [u * cos(th), u * sin(th), w, vpsi, vphi], z, [(total + turn) / 2, (total - turn) / 2]


@case
class Pursuit(Case):
    """s = (x, y, u, z): u is the speed towards the target."""

    name = "pursuit_rheonomic"
    description = "The velocity points at a target on a circle: linear constraint that depends on time."
    source = {"paper": "GG08", "item": "(5.10)-(5.11) and (4.16)-(4.17)"}
    x, y = ["x", "y"], ["vx", "vy"]
    parameters = {"slope": "1/10", "gamma": "1/5"}
    lagrangian = "(vx**2+vy**2)/2+slope*x-gamma*z"
    constraints = ["vx*(3*sin(t/2)-y)-vy*(3*cos(t/2)-x)"]

    def start(self):
        return [mpf(-1), mpf(-3), mpf(1), mpf("0.1")]

    def sight(self, t, s):
        a, b = 3 * cos(t / 2) - s[0], 3 * sin(t / 2) - s[1]
        distance = sqrt(a**2 + b**2)
        return a / distance, b / distance, distance

    def slope(self, t, s):
        P, (x, _, u, z) = self.P, s
        a, b, _ = self.sight(t, s)
        return [u * a, u * b, P.slope * a - P.gamma * u, u**2 / 2 + P.slope * x - P.gamma * z]

    def full(self, t, s):
        a, b, distance = self.sight(t, s)
        u = s[2]
        # The line of sight turns at the rate (target's velocity across it)/distance; the pursuer runs along it.
        turning = (3 * cos(t / 2) / 2 * a + 3 * sin(t / 2) / 2 * b) / distance
        return s[:2], [u * a, u * b], s[3], [-(u * turning + self.P.slope * b) / distance]


@case
class Wire(Case):
    """s = (r, r', z): distance along the wire."""

    name = "rotating_wire_holonomic"
    description = "Bead on a wire that turns: velocity-free constraint that depends on time."
    source = {"paper": "GG08", "item": "(5.10)-(5.11) and (4.16)-(4.17)"}
    kind = "holonomic, rheonomic"
    x, y = ["x", "y"], ["vx", "vy"]
    parameters = {"k": "2", "gamma": "1/10"}
    lagrangian = "(vx**2+vy**2)/2-k*(x**2+y**2)/2-gamma*z-z**2/40"
    constraints = ["y*cos(4*t/5)-x*sin(4*t/5)"]

    def start(self):
        return [mpf(1), mpf("0.3"), mpf("0.1")]

    def slope(self, t, s):
        P, (r, v, z), omega = self.P, s, mpf(4) / 5
        rate = -P.gamma - z / 20
        return [v, (omega**2 - P.k) * r + rate * v,
                (v**2 + omega**2 * r**2 - P.k * r**2) / 2 - P.gamma * z - z**2 / 40]

    def full(self, t, s):
        (r, v, z), omega = s, mpf(4) / 5
        c, d = cos(omega * t), sin(omega * t)
        mu = 2 * omega * v + (self.P.gamma + z / 20) * omega * r
        return [r * c, r * d], [v * c - omega * r * d, v * d + omega * r * c], z, [mu]


@case
class WornDisk(Case):
    """s = (x, y, th, ph, u, vph, z): rolling speed u; the radius exp(-wear z) depends on the action."""

    name = "worn_disk_action_dependent"
    description = "Rolling disk whose radius shrinks with the action: the constraints depend on z, whose rate is L."
    source = {"paper": "LLMR21", "item": "Sec. 4.4"}
    x, y = ["x", "y", "th", "ph"], ["vx", "vy", "vth", "vph"]
    parameters = {"I": "1/2", "J": "1/4", "wear": "1/5", "slope": "1/10", "gamma": "1/10"}
    lagrangian = "(vx**2+vy**2+I*vth**2+J*vph**2)/2+slope*x-gamma*z"
    constraints = ["vx-exp(-wear*z)*vth*cos(ph)", "vy-exp(-wear*z)*vth*sin(ph)"]

    def start(self):
        return [mpf("0.1"), mpf("0.2"), mpf("0.4"), mpf("0.3"), mpf("1.1"), mpf("0.7"), mpf("0.05")]

    def slope(self, t, s):
        P, (x, _, _, ph, u, vph, z) = self.P, s
        R = exp(-P.wear * z)
        vth = u / R
        L = (u**2 + P.I * vth**2 + P.J * vph**2) / 2 + P.slope * x - P.gamma * z
        mass = 1 + P.I / R**2
        u_dot = (P.slope * cos(ph) - P.gamma * mass * u - P.I * P.wear * L * u / R**2) / mass
        return [u * cos(ph), u * sin(ph), vth, vph, u_dot, -P.gamma * vph, L]

    def full(self, t, s):
        P, (_, _, _, ph, u, vph, z) = self.P, s
        along = self.slope(t, s)[4] + P.gamma * u - P.slope * cos(ph)
        across = u * vph + P.slope * sin(ph)
        mu = [along * cos(ph) - across * sin(ph), along * sin(ph) + across * cos(ph)]
        return s[:4], [u * cos(ph), u * sin(ph), u * exp(P.wear * z), vph], z, mu


@case
class Isokinetic(Case):
    """s = (x, y, heading, z): the force along the velocity does not bend the path."""

    name = "isokinetic_nonlinear"
    description = "Constant speed 4/5 on a landscape (Gauss thermostat): nonlinear, not homogeneous; its force does work."
    source = {"paper": "LLMR21", "item": "(25)-(26)"}
    kind = "nonlinear"
    x, y = ["x", "y"], ["vx", "vy"]
    parameters = {"field": "3/10", "gamma": "1/10"}
    lagrangian = "(vx**2+vy**2)/2-cos(x)*cos(y)/2+field*x-gamma*z"
    constraints = ["vx**2+vy**2-16/25"]

    def start(self):
        return [mpf("0.3"), mpf("-0.4"), mpf("0.9"), mpf("0.1")]

    def gradient(self, s):
        return -sin(s[0]) * cos(s[1]) / 2 - self.P.field, -cos(s[0]) * sin(s[1]) / 2

    def slope(self, t, s):
        (x, y, heading, z), v = s, mpf(4) / 5
        a, b = self.gradient(s)
        return [v * cos(heading), v * sin(heading), (a * sin(heading) - b * cos(heading)) / v,
                v**2 / 2 - cos(x) * cos(y) / 2 + self.P.field * x - self.P.gamma * z]

    def full(self, t, s):
        v, heading = mpf(4) / 5, s[2]
        a, b = self.gradient(s)
        vx, vy = v * cos(heading), v * sin(heading)
        return s[:2], [vx, vy], s[3], [(a * vx + b * vy) / (2 * v**2) + self.P.gamma / 2]


@case
class SphericalPendulum(Case):
    """s = (theta, phi, theta', phi', z): polar angle from below, azimuth."""

    name = "spherical_pendulum_cartesian"
    description = "Spherical pendulum in Cartesian coordinates, one holonomic constraint; solved in spherical angles."
    source = {"paper": "LLMR21", "item": "Thm 3, velocity-free constraint"}
    kind = "holonomic"
    x, y = ["x", "y", "h"], ["vx", "vy", "vh"]
    parameters = {"l": "6/5", "g": "5", "gamma": "1/10"}
    lagrangian = "(vx**2+vy**2+vh**2)/2-g*h-gamma*z-z**2/50"
    constraints = ["x**2+y**2+h**2-l**2"]

    def start(self):
        return [mpf("0.9"), mpf("0.3"), mpf("0.4"), mpf("1.1"), mpf("0.1")]

    def slope(self, t, s):
        P, (a, _, va, vb, z) = self.P, s
        rate = -P.gamma - z / 25
        L = P.l**2 * (va**2 + sin(a) ** 2 * vb**2) / 2 + P.g * P.l * cos(a) - P.gamma * z - z**2 / 50
        return [va, vb, sin(a) * cos(a) * vb**2 - P.g / P.l * sin(a) + rate * va, -2 * cos(a) / sin(a) * va * vb + rate * vb, L]

    def full(self, t, s):
        P, (a, b, va, vb, z) = self.P, s
        q = [P.l * sin(a) * cos(b), P.l * sin(a) * sin(b), -P.l * cos(a)]
        v = [P.l * (cos(a) * cos(b) * va - sin(a) * sin(b) * vb), P.l * (cos(a) * sin(b) * va + sin(a) * cos(b) * vb),
             P.l * sin(a) * va]
        return q, v, z, [(P.g * q[2] - sum(c**2 for c in v)) / (2 * P.l**2)]


@case
class DoublePendulum(Case):
    """s = (q1, q2, v1, v2, z): angles from below; the multipliers are the tensions, from Newton's law for each mass."""

    name = "double_pendulum_cartesian"
    description = "Plane double pendulum in Cartesian coordinates, two holonomic constraints; solved in angles."
    source = {"paper": "LLMR21", "item": "Thm 3, velocity-free constraints"}
    kind = "holonomic"
    times = [0.0, 0.5, 1.0, 2.0, 3.0]
    x, y = ["x1", "y1", "x2", "y2"], ["vx1", "vy1", "vx2", "vy2"]
    parameters = {"m1": "1", "m2": "3/5", "l1": "1", "l2": "4/5", "g": "3", "gamma": "1/10"}
    lagrangian = "(m1*(vx1**2+vy1**2)+m2*(vx2**2+vy2**2))/2-g*(m1*y1+m2*y2)-gamma*z"
    constraints = ["x1**2+y1**2-l1**2", "(x2-x1)**2+(y2-y1)**2-l2**2"]

    def start(self):
        return [mpf("1.2"), mpf("0.7"), mpf("0.3"), mpf("-0.5"), mpf("0.1")]

    def accelerations(self, s):
        P, (q1, q2, v1, v2, _) = self.P, s
        A = matrix([[(P.m1 + P.m2) * P.l1**2, P.m2 * P.l1 * P.l2 * cos(q1 - q2)],
                    [P.m2 * P.l1 * P.l2 * cos(q1 - q2), P.m2 * P.l2**2]])
        pull = P.m2 * P.l1 * P.l2 * sin(q1 - q2)
        a = solve(A, matrix([-pull * v2**2 - (P.m1 + P.m2) * P.g * P.l1 * sin(q1), pull * v1**2 - P.m2 * P.g * P.l2 * sin(q2)]))
        return a[0] - P.gamma * v1, a[1] - P.gamma * v2

    def slope(self, t, s):
        P, (q1, q2, v1, v2, z) = self.P, s
        kinetic = (P.m1 + P.m2) * P.l1**2 * v1**2 / 2 + P.m2 * P.l2**2 * v2**2 / 2 + P.m2 * P.l1 * P.l2 * v1 * v2 * cos(q1 - q2)
        potential = -(P.m1 + P.m2) * P.g * P.l1 * cos(q1) - P.m2 * P.g * P.l2 * cos(q2)
        return [v1, v2, *self.accelerations(s), kinetic - potential - P.gamma * z]

    def full(self, t, s):
        P, (q1, q2, v1, v2, z) = self.P, s
        rod = lambda l, q, v, a: ([l * sin(q), -l * cos(q)], [l * cos(q) * v, l * sin(q) * v],
                                  [l * (cos(q) * a - sin(q) * v**2), l * (sin(q) * a + cos(q) * v**2)])
        a1, a2 = self.accelerations(s)
        r1, u1, b1 = rod(P.l1, q1, v1, a1)
        d, e, f = rod(P.l2, q2, v2, a2)
        push = lambda b, u: [b[0] + P.gamma * u[0], b[1] + P.gamma * u[1] + P.g]
        second = push([b1[0] + f[0], b1[1] + f[1]], [u1[0] + e[0], u1[1] + e[1]])
        mu2 = P.m2 * (second[0] * d[0] + second[1] * d[1]) / (2 * P.l2**2)
        first = push(b1, u1)
        mu1 = sum((P.m1 * first[i] + 2 * mu2 * d[i]) * r1[i] for i in (0, 1)) / (2 * P.l1**2)
        return [*r1, r1[0] + d[0], r1[1] + d[1]], [*u1, u1[0] + e[0], u1[1] + e[1]], z, [mu1, mu2]


@case
class TwoAnchors(Case):
    """s = (q1, q2, y1, y2, z): the momentum equation paired with e1 + (q1/2) e3 and e2 + (3/10) e3."""

    name = "general_algebroid_two_anchors_constrained"
    description = "Linear constraint on a general algebroid: right anchor differs from the left one, bracket not skew."
    source = {"paper": "GG08", "item": "(5.10)-(5.11), with a Herglotz term"}
    x, y = ["q1", "q2"], ["y1", "y2", "y3"]
    parameters = {"gamma": "1/10"}
    rho = [["1", "0", "q2/5"], ["0", "1+q1**2/10", "3/10"]]
    sigma = [["1", "q1/10", "0"], ["-1/5", "1", "q2/4"]]
    brackets = [dict(a=1, b=2, c=3, value="1"), dict(a=2, b=1, c=3, value="-4/5"), dict(a=1, b=3, c=2, value="q1/2"),
                dict(a=3, b=1, c=2, value="1/5"), dict(a=2, b=2, c=1, value="3/10"), dict(a=2, b=3, c=1, value="-q2/3")]
    lagrangian = "(y1**2+2*y2**2+3*y3**2/2)/2+y1*y2/5-q1**2/2-q2**2/3-gamma*z-z**2/30"
    constraints = ["y3-q1*y1/2-3*y2/10"]

    def start(self):
        return [mpf("0.4"), mpf("-0.3"), mpf("0.6"), mpf("0.5"), mpf("0.1")]

    def parts(self, s):
        q1, q2, y1, y2, z = s
        y3 = q1 * y1 / 2 + 3 * y2 / 10
        p = [y1 + y2 / 5, 2 * y2 + y1 / 5, 3 * y3 / 2]
        x_dot = [y1 + q2 * y3 / 5, (1 + q1**2 / 10) * y2 + 3 * y3 / 10]
        d1, d2 = -q1, -2 * q2 / 3
        rate = -self.P.gamma - z / 15
        # c^k_ij y^i p_k + sigma^a_j dL/dx^a + L_z p_j, term by term.
        f = [-mpf(4) / 5 * y2 * p[2] + y3 * p[1] / 5 + d1 - d2 / 5 + rate * p[0],
             y1 * p[2] + mpf(3) / 10 * y2 * p[0] + q1 * d1 / 10 + d2 + rate * p[1],
             q1 / 2 * y1 * p[1] - q2 / 3 * y2 * p[0] + q2 / 4 * d2 + rate * p[2]]
        return y3, x_dot, f, p

    def accelerations(self, s):
        q1, _, y1, _, _ = s
        _, x_dot, f, _ = self.parts(s)
        a, b = q1 / 2, mpf(3) / 10
        drift = x_dot[0] * y1 / 2
        A = matrix([[1 + 1.5 * a**2, mpf(1) / 5 + 1.5 * a * b], [mpf(1) / 5 + 1.5 * a * b, 2 + 1.5 * b**2]])
        y_dot = solve(A, matrix([f[0] + a * f[2] - 1.5 * a * drift, f[1] + b * f[2] - 1.5 * b * drift]))
        return y_dot[0], y_dot[1], a * y_dot[0] + b * y_dot[1] + drift

    def slope(self, t, s):
        q1, q2, y1, y2, z = s
        y3, x_dot, _, _ = self.parts(s)
        y_dot = self.accelerations(s)
        L = ((y1**2 + 2 * y2**2 + 1.5 * y3**2) / 2 + y1 * y2 / 5 - q1**2 / 2 - q2**2 / 3 - self.P.gamma * z - z**2 / 30)
        return [*x_dot, y_dot[0], y_dot[1], L]

    def full(self, t, s):
        y3, _, f, _ = self.parts(s)
        return s[:2], [s[2], s[3], y3], s[4], [1.5 * self.accelerations(s)[2] - f[2]]
