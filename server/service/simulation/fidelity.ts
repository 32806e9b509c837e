/**
 * The fidelity report of the API: what is not simulated and what is approximate. A test keeps it
 * equal to docs/not-simulated.md.
 */
import type { FidelityReply } from '../../../contract/types.generated.ts';

export const FIDELITY: Pick<FidelityReply, 'not_there' | 'approximate'> = {
  not_there: [
    {
      what: 'Electronics',
      how: 'Motor currents, drive electronics, brake wear. Motors are torque sources with a cap.',
    },
    {
      what: 'Flexibility',
      how:
        'Links and gears are rigid, without resonance. Only the measurements have sag and ' +
        'backlash, with `--realism` (below).',
    },
    {
      what: 'go_to_advanced',
      how: 'The specification names this call without describing it. It answers 404.',
    },
    {
      what: 'Long lists of branches',
      how:
        'Branches of an `if` can end in different places. A toolpath in which an action can ' +
        'begin at more than 64 different poses is a hard error.',
    },
    {
      what: "The manufacturer's planner",
      how:
        "Paths are what the specification says. Their timing is this planner's: durations " +
        "differ from a real arm's.",
    },
    {
      what: 'Update packages',
      how:
        'Any bytes are a package: nothing is unpacked, no signature and no order of versions ' +
        'is checked. A first line `armtwin-update 4.9.9` names the version; without it the ' +
        'next one of the catalogue, which is made up, is installed, or the present one again.',
    },
    { what: 'TLS', how: 'The arm speaks plain HTTP and WebSocket, and so does the twin.' },
    {
      what: 'HTTP/2 to receivers',
      how:
        'Webhooks are sent by HTTP/1.1, also over TLS. A receiver that speaks HTTP/2 alone ' +
        'needs a proxy in front.',
    },
  ],
  approximate: [
    {
      what: 'the numbers below',
      how: 'of the default arm; another arm (--arm) has its own, with their marks, in its arm.json',
    },
    {
      what: 'link lengths, joint axes, joint limits',
      how: 'confirmed by public sources; forward kinematics at zero equals a published reply',
    },
    { what: 'last joint to flange, 25.39 mm', how: 'estimate, fitted to that reply' },
    {
      what: 'published replies to rotate and nudge',
      how: 'nudge: a solution within 1e-3 rad; rotate: the pose within 0.6 mm',
    },
    {
      what: 'masses and inertias',
      how: "estimate: volumes at one density (9.24 kg), scaled to the arm's 9.5 kg",
    },
    { what: 'joint speed, 2.094 rad/s: 120 °/s, rounded down to three decimals', how: 'confirmed' },
    { what: 'acceleration 10 rad/s², jerk 100 rad/s³, tool acceleration 10 m/s²', how: 'own' },
    {
      what: 'torque caps, friction, rotor inertia, energy limits, singularity margins',
      how: 'own',
    },
    {
      what: 'thermal model',
      how: 'own; temperatures have the resolution and the usual range of the real arm',
    },
    {
      what: 'The check of a toolpath against the cell',
      how:
        'Margin. Parts nearer than 1 mm are a finding, always below 0.5 mm; a gap between 0.5 ' +
        'and 1 mm may be missed. Depths are taken at least every 4 mm of the way. The base of ' +
        'the arm is left out, so that it can stand on a table. Time. Cell and arm do what is ' +
        'planned: grippers act at once, nothing is pushed, slips or tips, what falls falls ' +
        'straight down, and servos do not lag. What stands on a held object goes along with ' +
        'it. Not known. Objects on conveyors (the report names them); the second loop, in ' +
        'which objects are where the first one left them; objects that were moved since the ' +
        'file was written; a held object against the arm itself and its base. Branches. Where ' +
        'a branch depends on an input that no gripper drives, each way is checked. A step to ' +
        'which several branches lead is checked once for each object that may be held there, ' +
        'with the objects where the first way left them. Where it does not run. Builds by the ' +
        "arm's API, load and a run do not see the cell: there a path through a fixture ends " +
        'as a contact. A door among the controls of a cell has no shape, and is named as not ' +
        'looked at. People and other arms are in no cell.',
    },
    {
      what: 'Shape for collisions',
      how:
        'Each link is one or two capsules, twelve in all; the tool is a flat-ended cylinder. ' +
        'The capsules have 1.1 to 2.1 times the volume of the links, so the twin refuses some ' +
        'poses that a real arm could take: in 57 to 65 % of the reported self-collisions the ' +
        'real shapes come within 4 mm; the rest are false alarms. Nor are they strictly safe: ' +
        'corners of the arm stick out of them by up to 15 mm at the base and 8 mm at links, ' +
        'and in rare poses a contact is reported up to 10 mm late. Neighbouring links are ' +
        'never checked against each other, because the joint limits keep them apart. Do not ' +
        'use the twin to prove that two real bodies cannot touch.',
    },
    {
      what: 'Emergency stop',
      how:
        'An emergency stop brakes with power, as category 1 of IEC 60204-1, and keeps to the ' +
        'path where the limits of the joints allow it. The drives then hold the arm. How the ' +
        'real arm stops is not public. A stop of category 0, with the power off at once, is ' +
        'not simulated. Do not use the twin to prove a stopping distance.',
    },
    {
      what: 'Contact',
      how:
        'The arm touches obstacles and the floor through springs. Each obstacle has its ' +
        'stiffness, 25 N/mm by default. What touches: Links collide with obstacles, and with ' +
        "the floor only while the motors do not hold the arm. The tool's cylinder (a bundle " +
        'of capsules, at most a seventh of its radius short) and the carried load (a ball of ' +
        '30 mm radius at its centre of mass) collide with both at any time. Only the plants ' +
        'know the load: no plan and no collision check contains it. Detection: Collision ' +
        'detection watches the momentum of the joints, with thresholds of its own: ten ' +
        'minutes of full-speed random moves with a payload wrong by 0.25 kg trip nothing, ' +
        'also with --realism typical. Reaction: After a detected contact the arm brakes and ' +
        'retreats along its path. Where that does not help, it gives way, until the force ' +
        'that it estimates at the touching place is below 10 N; then it holds. With detection ' +
        'disabled the arm pushes until a joint fails to follow, and then does the same. All ' +
        "this is this project's choice. A force near an axis, from two sides at once, or " +
        'below the sensitivity of the detection is not felt and may stay. Forces: Peak and ' +
        'residual forces are reported with limits of ISO/TS 15066 beside them, for ' +
        'information only. They do not show the forces that a real arm would exert on a ' +
        'person.',
    },
    {
      what: 'Imperfections',
      how:
        '--realism typical and --realism worn (also in seed files and options of a test twin) ' +
        'make a simulated arm measure like a real one; the default is ideal. The arm moves ' +
        'exactly as planned, but the angles and rates that the API reports deviate from it, ' +
        'by seeded noise that is equal bit by bit in replays and after snapshots. Only ' +
        'friction acts in the plant: the drives expect its nominal value. Temperatures, ' +
        'torques and contacts are reported undisturbed. Encoder noise stops once an arm at ' +
        'rest is held by its brakes, after one second, and noise of the rates where no joint ' +
        "is faster than 0.01 rad/s. The values, typical and worn, are this project's choice: " +
        'repeatability: a motion ends with an offset of up to 0.2 mrad at joints 1 to 3 and ' +
        '0.4 mrad at the others, so that a typical arm keeps the rated ±0.5 mm; twice as much ' +
        'when worn; encoder noise of up to 0.05 and 0.1 mrad, beside a quantum of the ' +
        'telemetry of 0.096 mrad; noise of the rates of up to 4 and 10 mrad/s; both drawn ' +
        'evenly; backlash of each gear 0.5 and 1 mrad; joint stiffness 14,000 14,000 9,000 ' +
        '3,000 2,500 1,500 N·m/rad, 0.6 of it when worn: up to 1 mm of sag; latency of the ' +
        'measurements 8 and 20 ms; friction at idle temperature 1.1 and 1.3 of the nominal ' +
        'one, falling by 1 and 1.2 % a kelvin to not less than 0.7 and 0.8. That it falls by ' +
        'tens of percent with warmth is known of other arms (Bittencourt and others, ' +
        'LiTH-ISY-R-2948, 2010; Simoni and others, doi 10.1017/S0263574717000509).',
    },
    {
      what: 'Profiles',
      how:
        "--profile FILE replaces values that are this project's choice by those that armtwin " +
        'fit has estimated of one arm. Straight joint motions then follow the timing law of ' +
        "that arm. Lines and splines keep this planner's law with the limits of the profile; " +
        "a jerk that the law does not have is taken from a ramp of 0.1 s. The profile's " +
        'limits replace the tool acceleration limit, which no capture shows. The drives know ' +
        'its friction, as on an arm that is tuned. Masses of links, stiffness, backlash and ' +
        'the reaction to contacts are not estimated.',
    },
    {
      what: 'The two plants',
      how:
        'rapier steps a rigid-body engine in 32-bit arithmetic; fast solves the equations of ' +
        'motion in 64-bit arithmetic. Contacts of the arm with obstacles and floor are the ' +
        'same springs in both. Rotors of motors are inertia about the axis of their joint ' +
        "only. Objects of a cell move by the engine's dynamics on rapier and quasi-statically " +
        'on fast (see The cell). Under equal random torques for 2 s, with friction, rotors ' +
        'and an off-axis load, fast stays within 1e-6 rad of MuJoCo, rapier within 0.1 rad: ' +
        'its 32-bit rounding grows in motions that nothing controls. With no friction and no ' +
        "motor, a falling arm's energy is off by less than 0.5 % of its kinetic energy until " +
        'an end stop. With gravity compensated, the kinetic energy drifts in 2 s by less than ' +
        '0.05 % on fast and 0.3 % on rapier. Both follow their setpoints to a hundredth of a ' +
        'milliradian, which no real arm does, while the drives know the load. A load that ' +
        'they do not know leaves a standing error, equal on both: about 1.1 mrad at joint 5 ' +
        'for 0.6 kg 50 mm beyond the flange, 2.2 mrad for 1.25 kg. No plan is refused for it, ' +
        'because plans start at the setpoint.',
    },
    {
      what: 'The cell',
      how:
        'In the hand of the arm, on both plants: Grasps: A grasped object is joined to the ' +
        'flange rigidly, and friction decides whether the grasp holds. In jaws it slips along ' +
        'the pads when its weight and acceleration need more than twice the jaw force times ' +
        'the coefficient of friction. It leaves a cup when its pull plus the force across ' +
        "divided by friction exceed the cup's force; the cup takes it again only after it was " +
        'lifted off the object, or switched off and on. A part that stands on something and ' +
        'is too heavy for jaws or cup stays there. Vacuum is a time and a force. Jaws: They ' +
        'hold one object and do not turn it. Moments of an off-centre grasp are not checked. ' +
        'Nothing pushes jaws open along their closing direction: there the arm bears all that ' +
        'presses on the object. Carried objects: What stands on a held object goes with it. ' +
        'It slides where its weight and inertia, with those of what it carries, need more ' +
        'than the friction of the smoother surface, and comes off where its carrier would ' +
        'have to pull it or to press beside their contact. A contact that also turns holds ' +
        'less, as a disc of its size does. An object is carried by one face of one object, ' +
        'above which its centre is: what lies across two of them falls. It slides past what ' +
        'stands beside it. Once it has tipped or slid over the edge, the carrier bears it ' +
        'without friction on rapier; on fast it falls past the carrier. Where it touches a ' +
        'fixture, the arm feels it, and it stays where it is on its carrier. Lids and racks: ' +
        'No rim keeps a lid. A seal holds any force, but only while a gripper has the lid or ' +
        'its object; jaws and cups take nothing that a gripper carries. A rack has no holes: ' +
        'tubes stand on it, and walls are fixtures, which do not go along. Between the arm ' +
        'and objects, on both plants: Touching: The arm meets a cylinder as a box of 0.8 of ' +
        "its radius and pushes objects without friction. The tool's cylinder does not touch " +
        'objects while the cell has a gripper. Pressing: Arm and objects press as springs of ' +
        '25 N/mm, on light objects softer, 0.25 N/mm a gram: closed jaws sink 4 mm into a lid ' +
        'of 20 g at 20 N. An object that is pressed in deep is pushed out sideways where that ' +
        'is the shorter way out, and fast if it is light. Falling onto the arm: On rapier it ' +
        'slides off. On fast it falls through, and is not there for the arm until it is out ' +
        'of it. Measuring: A part on two scales loads the one beneath its centre. Beams and ' +
        'sensors are exact and read once a tick. Objects on rapier rest, slide, tip, fall and ' +
        'push each other: Rolling: A lying cylinder has a rolling resistance of 0.02, and ' +
        'rolls unevenly: from 0.2 m/s it mostly stops within 2 to 11 cm, where this ' +
        'resistance alone gives 10, and it may roll back. In a pile of rods a few mm thick ' +
        'some may roll about for minutes. Contacts give way: While three boxes settle on each ' +
        'other, the top one sinks by up to 0.3 mm; 1.2 kg press 0.1 kg 0.9 mm into the floor, ' +
        '1 kg presses 0.02 kg 3.5 mm, and an arm with its collision detection disabled ' +
        'presses a part up to 16 mm (226 N). A cell whose objects overlap by more than 2 mm ' +
        'cannot be put back. An object lighter than 1 % of the heaviest one moves as if it ' +
        'had that mass. Impacts: An object dropped flat by 0.1 m or more may bounce up by ' +
        'some mm and fall over, where a real one may stand. Rest: Objects that rest on each ' +
        'other are held where they are: a stack does not drift, also beside a running belt. A ' +
        'part at a stop of a running belt rests once it has moved slower than 2 mm/s for 0.1 ' +
        's, and moves for as long when the belt starts again; while the arm presses it, it ' +
        'counts as moving. Objects on fast move quasi-statically: Flight: An object flies ' +
        'along a parabola without turning, loses its speed towards what it meets, and lands ' +
        'on the highest level surface beneath it; friction takes part of its level speed at ' +
        'the impact, and it slides until the rest is gone. Tipping: Where its weight, with ' +
        'that of what stands on it, acts beyond the edge of the support, it turns at once by ' +
        'a right angle about that edge, with what stands on it, and falls to the next ' +
        'support; an inclined object turns onto a face. Where something is in the way of ' +
        'that, it turns until it leans on that and is marked as tipped, or slips off the edge ' +
        'where friction would not hold it. What the event says: It names what was not ' +
        'computed of a movement: how the object turned or bounced off, whether it tumbled on ' +
        'its impact, what it leans on. Pushing: A pushed object does not turn and takes along ' +
        'what is in its way; where it is pressed beyond its edge by more than its weight ' +
        'balances, it gives way to the arm and stays. It has settled once no push has moved ' +
        'it by 0.1 mm for 50 ms. It stays on a tilted surface without sliding. Belts: An ' +
        "object rides at the belt's speed, with what stands on it and whatever its friction, " +
        'until its rear face has passed the end.',
    },
    {
      what: 'Emulated servos',
      how:
        "--bus memory and emulate-bus emulate the servos' packets, control tables, control " +
        "loops, motors and line faults. Gains, currents and speeds are the maker's. The " +
        'torque is that of the arm model, since no servo of the family lifts this arm. ' +
        'Friction, overload and what a tripped watchdog does to a position goal are ' +
        'estimates. Nothing was measured on a servo. The jaws of a gripper end, and meet a ' +
        "part, without giving way. Not emulated: the supply's current limit, the time of " +
        "bytes on the wire, the heat of a gripper's servo.",
    },
    {
      what: 'Workflows',
      how:
        'An instrument takes the configured time and fails only by an injected fault. Labware ' +
        'is moved, not processed. Outside of a cell the arm carries labware as if it had no ' +
        'mass, and misses none.',
    },
    {
      what: 'Time',
      how:
        'A tick is 4 ms. Events between ticks are seen at the next one, except collisions, ' +
        'which are checked every 1 ms. The same bits are promised across supported Node ' +
        'versions on one kind of machine. Between processor families equal bits are not ' +
        'proven, so only close results are promised; how close has not been measured.',
    },
  ],
};
