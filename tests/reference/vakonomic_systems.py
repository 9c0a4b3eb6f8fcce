"""Vakonomic systems without their multipliers: Pontryagin's principle and Hamiltonians; constrained_cases.py solves them."""

from mpmath import cos, exp, lu_solve as solve, matrix, mpf, sin
from nonholonomic_systems import Case, Suslov, TwoAnchors, case


@case
class VakonomicAction(Case):
    """s = (x, y, h, z, Px, Py, Ph, Pz): Pontryagin's principle for z(T) with controls (vx, vy); p = -P/Pz."""

    name = "vakonomic_action_dependent"
    description = "Vakonomic rule with a constraint that depends on the action; solved by Pontryagin's maximum principle."
    source = {"paper": "LLMR21", "item": "Secs. 5.3-5.4"}
    rule, held = "vakonomic", [2]
    times = [0.0, 0.5, 1.0, 2.0, 3.0]
    x, y = ["x", "y", "h"], ["vx", "vy", "vh"]
    parameters = {"gamma": "1/10", "kappa": "3/10"}
    lagrangian = "(vx**2+vy**2+vh**2)/2-x**2/4-y**2/3-h/5-gamma*z"
    constraints = ["vh-y*vx-kappa*z*vy"]

    def start(self):
        return self.lifted([mpf("0.2"), mpf("0.5"), mpf("0.1"), mpf("0.3")], mpf("0.6"), mpf("-0.4"), mpf("0.25"))

    def lifted(self, q, vx, vy, nu):
        a, b = q[1], self.P.kappa * q[3]
        return [*q, vx + nu * a, vy + nu * b, a * vx + b * vy - nu, mpf(-1)]

    def controls(self, s):
        _, y, _, z, Px, Py, Ph, Pz = s
        a, b = y, self.P.kappa * z
        right = matrix([-(Px + a * Ph) / Pz, -(Py + b * Ph) / Pz])
        vx, vy = solve(matrix([[1 + a**2, a * b], [a * b, 1 + b**2]]), right)
        return vx, vy, a * vx + b * vy

    def slope(self, t, s):
        P, (x, y, h, z, Px, Py, Ph, Pz) = self.P, s
        vx, vy, vh = self.controls(s)
        L = (vx**2 + vy**2 + vh**2) / 2 - x**2 / 4 - y**2 / 3 - h / 5 - P.gamma * z
        return [vx, vy, vh, L, Pz * x / 2, -Ph * vx - Pz * (vh * vx - 2 * y / 3), Pz / 5,
                P.gamma * Pz - (Ph + Pz * vh) * P.kappa * vy]

    def full(self, t, s):
        vx, vy, vh = self.controls(s)
        return s[:3], [vx, vy, vh], s[3], [vh + s[6] / s[7]]


@case
class VakonomicDisk(Case):
    """s = (x, y, th, ph, z, Px, Py, Pth, Pph, Pz): Pontryagin's principle with controls (vth, vph); p = -P/Pz."""

    name = "vakonomic_rolling_disk"
    description = "Rolling disk on an incline under the vakonomic rule, two constraints; solved by Pontryagin's principle."
    source = {"paper": "LLMR21", "item": "Sec. 5.4 on the disk of Sec. 4.3"}
    rule, held = "vakonomic", [0, 1]
    x, y = ["x", "y", "th", "ph"], ["vx", "vy", "vth", "vph"]
    parameters = {"I": "1/2", "J": "1/4", "slope": "1/10", "gamma": "1/5"}
    lagrangian = "(vx**2+vy**2+I*vth**2+J*vph**2)/2+slope*x-gamma*z"
    constraints = ["vx-vth*cos(ph)", "vy-vth*sin(ph)"]

    def start(self):
        P, ph, vth, vph, nu = self.P, mpf("0.3"), mpf("1.1"), mpf("0.7"), (mpf("0.2"), mpf("-0.1"))
        return [mpf("0.1"), mpf("0.2"), mpf("0.4"), ph, mpf("0.2"), vth * cos(ph) - nu[0], vth * sin(ph) - nu[1],
                P.I * vth + nu[0] * cos(ph) + nu[1] * sin(ph), P.J * vph, mpf(-1)]

    def controls(self, s):
        ph, (Px, Py, Pth, Pph, Pz) = s[3], s[5:]
        return -(Px * cos(ph) + Py * sin(ph) + Pth) / (Pz * (1 + self.P.I)), -Pph / (Pz * self.P.J)

    def slope(self, t, s):
        P, (x, _, _, ph, z, Px, Py, Pth, Pph, Pz) = self.P, s
        vth, vph = self.controls(s)
        L = ((1 + P.I) * vth**2 + P.J * vph**2) / 2 + P.slope * x - P.gamma * z
        return [vth * cos(ph), vth * sin(ph), vth, vph, L, -Pz * P.slope, mpf(0), mpf(0),
                vth * (Px * sin(ph) - Py * cos(ph)), P.gamma * Pz]

    def full(self, t, s):
        ph, (Px, Py, _, _, Pz) = s[3], s[5:]
        vth, vph = self.controls(s)
        vx, vy = vth * cos(ph), vth * sin(ph)
        return s[:4], [vx, vy, vth, vph], s[4], [vx + Px / Pz, vy + Py / Pz]


@case
class VakonomicSuslov(Case):
    """s = (p1, p2, p3, z): h(p, z) is the largest p.w - L with a.w = 0, so w = exp(-z/8) G p and p' = p x w - h_z p."""

    name = "vakonomic_suslov"
    description = "Suslov's constraint under the vakonomic rule, action in the kinetic energy; solved as contact Lie-Poisson system."
    source = {"paper": "GG08", "item": "(5.3)-(5.4) on so(3), with a Herglotz term"}
    rule, held = "vakonomic", [2]
    x, y, rho, brackets = Suslov.x, Suslov.y, Suslov.rho, Suslov.brackets
    parameters, lagrangian, constraints, I = Suslov.parameters, Suslov.lagrangian, Suslov.constraints, Suslov.I

    def start(self):
        w, nu, z = matrix([1, "0.8", 0]), mpf("0.3"), mpf("0.1")
        w[2] = -self.P.a1 * w[0] - self.P.a2 * w[1]
        p = exp(z / 8) * self.I * w - nu * matrix([self.P.a1, self.P.a2, 1])
        return [*p, z]

    def velocity(self, s):
        B = matrix([[1, 0], [0, 1], [-self.P.a1, -self.P.a2]])
        return exp(-s[3] / 8) * B * solve(B.T * self.I * B, B.T * matrix(s[:3]))

    def slope(self, t, s):
        (p, q, r, z), w = s, self.velocity(s)
        kinetic = (p * w[0] + q * w[1] + r * w[2]) / 2
        rate = kinetic / 8 - self.P.gamma - z / 10
        return [q * w[2] - r * w[1] + rate * p, r * w[0] - p * w[2] + rate * q, p * w[1] - q * w[0] + rate * r,
                kinetic - self.P.gamma * z - z**2 / 20]

    def full(self, t, s):
        w = self.velocity(s)
        return [], list(w), s[3], [(exp(s[3] / 8) * (self.I * w))[2] - s[2]]


@case
class VakonomicTwoAnchors(Case):
    """s = (q1, q2, p1, p2, p3, z): h(q, p, z) is the largest p.y - L, so p' = c y p - sigma dh/dq - h_z p."""

    name = "vakonomic_two_anchors"
    description = "Vakonomic rule on a general algebroid: right anchor differs from the left one, bracket not skew."
    source = {"paper": "GG08", "item": "(5.3)-(5.4), with a Herglotz term"}
    rule, held = "vakonomic", [2]
    x, y, rho, sigma, brackets = TwoAnchors.x, TwoAnchors.y, TwoAnchors.rho, TwoAnchors.sigma, TwoAnchors.brackets
    parameters, lagrangian, constraints = TwoAnchors.parameters, TwoAnchors.lagrangian, TwoAnchors.constraints
    times = [0.0, 0.5, 1.0, 2.0, 3.0]

    def start(self):
        q1, q2, y1, y2, nu = mpf("0.4"), mpf("-0.3"), mpf("0.6"), mpf("0.5"), mpf("0.2")
        y3 = q1 * y1 / 2 + 3 * y2 / 10
        return [q1, q2, y1 + y2 / 5 + nu * q1 / 2, 2 * y2 + y1 / 5 + 3 * nu / 10, 1.5 * y3 - nu, mpf("0.1")]

    def velocity(self, s):
        q1, _, p1, p2, p3, _ = s
        a, b = q1 / 2, mpf(3) / 10
        A = matrix([[1 + 1.5 * a**2, mpf(1) / 5 + 1.5 * a * b], [mpf(1) / 5 + 1.5 * a * b, 2 + 1.5 * b**2]])
        y = solve(A, matrix([p1 + a * p3, p2 + b * p3]))
        return y[0], y[1], a * y[0] + b * y[1]

    def slope(self, t, s):
        (q1, q2, p1, p2, p3, z), (y1, y2, y3) = s, self.velocity(s)
        # dh/dq1 at the maximum: what y3 = q1 y1/2 + ... does to p.y - L, and the potential.
        d1, d2 = -(p3 - 1.5 * y3) * y1 / 2 - q1, -2 * q2 / 3
        rate = -self.P.gamma - z / 15
        L = (y1**2 + 2 * y2**2 + 1.5 * y3**2) / 2 + y1 * y2 / 5 - q1**2 / 2 - q2**2 / 3 - self.P.gamma * z - z**2 / 30
        return [y1 + q2 * y3 / 5, (1 + q1**2 / 10) * y2 + 3 * y3 / 10,
                -mpf(4) / 5 * y2 * p3 + y3 * p2 / 5 + d1 - d2 / 5 + rate * p1,
                y1 * p3 + mpf(3) / 10 * y2 * p1 + q1 * d1 / 10 + d2 + rate * p2,
                q1 / 2 * y1 * p2 - q2 / 3 * y2 * p1 + q2 / 4 * d2 + rate * p3, L]

    def full(self, t, s):
        y1, y2, y3 = self.velocity(s)
        return s[:2], [y1, y2, y3], s[5], [1.5 * y3 - s[4]]
