/**
 * The fidelity report of the API: what is not simulated and what is approximate. A test keeps it
 * equal to docs/not-simulated.md.
 */
import type { FidelityReply } from '../../../contract/types.generated.ts';

export const FIDELITY: Pick<FidelityReply, 'not_there' | 'approximate'> = {
  not_there: [
    {
      what: 'Electronics',
      how:
        'Motor currents, drive electronics, brake wear. Motors are torque sources with ' + 'a cap.',
    },
    {
      what: 'Flexibility',
      how:
        'Links and gears of the plants are rigid, without resonance. Only the measurements have ' +
        'sag and backlash, with --realism (below).',
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
        'Paths are what the specification says (a straight line stays a straight line). ' +
        "Their timing is this planner's: durations differ from a real arm's.",
    },
    {
      what: 'Update packages',
      how:
        'The catalogue and its changelogs are made up. Any bytes are a package: nothing is ' +
        'unpacked, no signature and no order of versions is checked. A first line ' +
        '`armtwin-update 4.9.9` names the version; without it the next version of the ' +
        'catalogue is installed, or the present one again.',
    },
    { what: 'TLS', how: 'The arm speaks plain HTTP and WebSocket, and so does the twin.' },
    {
      what: 'HTTP/2 to receivers',
      how:
        'Webhooks are sent by HTTP/1.1, also over TLS. A receiver that speaks HTTP/2 alone gets none; ' +
        'it needs a proxy in front.',
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
        'Margin. Parts nearer than 1 mm are a finding, as for floor and zones; a gap between 0.5 ' +
        'and 1 mm may be passed over. Depths are taken at least every 4 mm of the way. The shapes ' +
        'of the arm are those below; the base is left out, so that it can stand on a table. Time. ' +
        'Cell and arm are taken as they are planned: grippers act at once, nothing is pushed, ' +
        'slips, tips or falls but straight down on what is beneath, and servos do not lag. What ' +
        'stands on a held object goes along with it. Not known. Objects on conveyors, which may ' +
        'be anywhere (the report names them); the second loop, in which objects are where the ' +
        'first one left them; objects that were moved since the file was written; what a held ' +
        'object does to the arm itself and to its base; where a branch depends on an input that ' +
        'no gripper drives, each way is checked with what the gripper would hold. A step that ' +
        'several branches lead to is checked once for each object held there, with the objects ' +
        "where the first way left them. Where it does not run. Builds by the arm's API, `load` " +
        'and a run do not see the cell: there a path through a fixture ends as a contact. A ' +
        'door among the controls of a cell has no shape, and is named as not looked at. People ' +
        'and other arms are in no cell.',
    },
    {
      what: 'Shape for collisions',
      how:
        'Each link is one or two capsules, twelve in all; the tool is a flat-ended cylinder. ' +
        'The capsules have 1.1 to 2.1 times the volume of the links, so that the twin refuses ' +
        'some poses that a real arm could take: in 57 to 65 % of the reported self-collisions ' +
        'the real shapes come within 4 mm. The capsules are not strictly safe either: corners ' +
        'of the arm stick out of them by up to 15 mm at the base and up to 8 mm at links, and ' +
        'in rare poses a contact is reported up to 10 mm late. Neighbouring links are never ' +
        'checked against each other, because the joint limits keep them apart. Do not use the ' +
        'twin to prove that two real bodies cannot touch.',
    },
    {
      what: 'Emergency stop',
      how:
        'An emergency stop brakes with power, as category 1 of IEC 60204-1, and keeps to the ' +
        'path where the limits of the joints allow it. The drives then hold the arm. Category, ' +
        'duration and path of the stop of the real arm are not public. A stop of category 0, ' +
        'with the power off at once, is not simulated. Do not use the twin to prove a stopping ' +
        'distance.',
    },
    {
      what: 'Contact',
      how:
        'The arm touches obstacles and the floor through springs, not as a rigid body: an ' +
        'impulse of one millisecond would trip every threshold alike. Each obstacle has its ' +
        'stiffness, 25 N/mm by default. What touches: Links collide with obstacles, and with ' +
        "the floor only while the motors do not hold the arm. The tool's cylinder (a bundle " +
        'of capsules, at most a seventh of its radius short) and the carried load (a ball of ' +
        '30 mm radius at its centre of mass) collide with both at any time. Only the plants ' +
        'know the load: no plan and no collision check contains it. Detection: Collision ' +
        'detection watches the momentum of the joints. Its thresholds are own values: ten ' +
        'minutes of full-speed random moves with a payload wrong by 0.25 kg trip nothing. ' +
        'Reaction: After a detected contact the arm brakes and retreats along its path. Where ' +
        'that does not help, it gives way, until the force that it estimates at the touching ' +
        "place is below 10 N; then it holds. The reaction and the bound are the twin's own; no " +
        'public source describes the real ones. With detection disabled the arm pushes until a ' +
        'joint fails to follow, and then does the same. A force near an axis, or from two sides ' +
        'at once, is not felt and may stay, and so may what was below the sensitivity of the ' +
        'detection. Forces: Peak and residual forces are reported with limits of ISO/TS 15066 ' +
        'beside them, for information only. They do not show the forces that a real arm would ' +
        'exert on a person.',
    },
    {
      what: 'Imperfections',
      how:
        '--realism typical and --realism worn (also in seed files and options of a test twin) ' +
        'make a simulated arm measure like a real one; the default is ideal. The plant moves ' +
        'exactly as planned. The angles and rates that the API reports deviate from it, by ' +
        'seeded noise that is equal bit by bit in replays and after snapshots. Only friction ' +
        'acts in the plant: the drives expect its nominal value. Temperatures, torques and ' +
        'contacts are reported undisturbed. Encoder noise stops once an arm at rest is held by ' +
        'its brakes, after one second, and noise of the rates where no joint is faster than 0.01 ' +
        'rad/s. With --realism typical, ten minutes of full-speed moves with a payload wrong by ' +
        '0.25 kg trip no sensitivity on either plant.',
    },
    {
      what: 'Profiles',
      how:
        '--profile FILE replaces own values by those that armtwin fit has estimated of one arm. ' +
        'Straight joint motions then follow the timing law of that arm. Lines and splines keep ' +
        "this planner's law with the limits of the profile; a jerk that the law does not have " +
        "is taken from a ramp of 0.1 s. The profile's limits replace the tool acceleration " +
        'limit, which no capture shows. Plans, previews on the page for admins and armtwin plan ' +
        '--profile use the profile too. The drives know its friction, as on an arm that is ' +
        'tuned. Masses of links, stiffness, backlash and the reaction to contacts are not ' +
        'estimated.',
    },
    {
      what: 'The two plants',
      how:
        'rapier steps a rigid-body engine in 32-bit arithmetic. fast solves the same equations ' +
        'of motion in 64-bit arithmetic. Both carry the rotors on the diagonal of the ' +
        'joint-space inertia. The engine has no rotors: in rapier the links carry them as ' +
        'inertia of their own, and the torques are corrected so that the arm moves alike. ' +
        'Contacts of the arm with obstacles and floor are the same springs in both. Objects of ' +
        "a cell move by the engine's dynamics on rapier and quasi-statically on fast (see The " +
        'cell). Under equal random torques for 2 s, with friction, rotors and an off-axis ' +
        'load, fast stays within 1e-6 rad of MuJoCo, rapier within 0.1 rad: its 32-bit ' +
        'rounding grows in motions that nothing controls. With no friction and no motor, a ' +
        "falling arm's energy is off by less than 0.5 % of its kinetic energy until an end " +
        'stop. With gravity compensated, the kinetic energy drifts in 2 s by less than 0.05 % ' +
        'on fast and 0.3 % on rapier, because of the 1 ms step and of 32-bit rounding. Both ' +
        'follow their setpoints far more closely than a real arm: an error of a hundredth of a ' +
        'milliradian shows that the arithmetic is clean, not that the arm is as good. That ' +
        'holds while the drives know the load. A load that they do not know leaves a standing ' +
        'error, equal on both: about 1.1 mrad at joint 5 for 0.6 kg 50 mm beyond the flange, ' +
        '2.2 mrad for 1.25 kg. It makes no plan stale, because plans start at the setpoint.',
    },
    {
      what: 'The cell',
      how:
        'Grasps: A grasped object is joined to the flange rigidly, on both plants: contacts of ' +
        'a physics engine creep and depend on the solver. Friction decides whether the grasp ' +
        'holds. An object slips along the pads when its weight and acceleration need more than ' +
        'twice the jaw force times the coefficient of friction. It leaves a cup when its pull ' +
        "plus the force across divided by friction exceed the cup's force; the cup takes it " +
        'again only after it was off it or off. What a surface carries needs nothing of jaws or ' +
        'cup: a part too heavy for them stays there, while the jaws slip off it. Moments of an ' +
        'off-centre grasp are not checked. Jaws hold one object and do not turn it, and nothing ' +
        'pushes them open along their closing direction: there the arm bears all that presses ' +
        'on the object. Vacuum is a time and a force. Carried objects: What stands on a held ' +
        'object, or on what that carries, goes with it by one computation on both plants. A ' +
        'contact moves all that is above it and does not slide as one rigid body, with its ' +
        'weight and inertia, also of turning, and holds against the friction of what slides. An ' +
        'object slides where that needs more than the friction of the smoother surface, and ' +
        'comes off where the carrier would have to pull it or to press beside their contact. A ' +
        'contact that also turns holds less, by an ellipse, as a disc of its size does. An ' +
        'object is carried by one face of one object, above which its centre is: what lies ' +
        'across two of them falls. It slides past what stands beside it. Once it has tipped or ' +
        'slid over the edge the carrier bears it without friction on rapier; on fast it falls ' +
        'past the carrier. A rack has no holes: tubes stand on it, and walls are fixtures, ' +
        'which do not go along. No rim keeps a lid. Seals hold any force, and only while a ' +
        'gripper has one of the two; jaws and cups take nothing that a gripper carries. ' +
        'Fixtures are touched as by the held object: the arm feels it, and the carried object ' +
        'stays where it is. The arm and objects: On both plants the arm meets a cylinder as a ' +
        'box of 0.8 of its radius and pushes objects without friction. An object that is ' +
        'pressed in deeper than it reaches in aside is pushed out aside, and fast if it is ' +
        "light. The tool's cylinder does not touch objects while the cell has a gripper. They " +
        'press as springs of 25 N/mm, on light objects softer, 0.25 N/mm a gram: closed jaws ' +
        'sink 4 mm into a lid of 20 g at 20 N. What falls onto the arm slides off on rapier. On ' +
        'fast it falls through, and is not there for the arm until it is out of it. Objects on ' +
        'rapier: They rest, slide, tip, fall and push each other. A lying cylinder has a ' +
        'rolling resistance of 0.02, and the engine rolls it unevenly: from 0.2 m/s it mostly ' +
        'stops within 2 to 11 cm, where the formula says 10, and it may roll back. In a pile of ' +
        'rods a few mm thick some may roll about for minutes. The engine takes steps of 4 ms, ' +
        'of 8 ms while every object that is not at rest stands still against something, and of ' +
        '1 ms while an object is faster than 0.25 m/s or arm or jaws push it. Its contacts give ' +
        'way: while three boxes settle on each other, the top one sinks by up to 0.3 mm; 1.2 kg ' +
        'press 0.1 kg 0.9 mm into the floor, 1 kg presses 0.02 kg 3.5 mm, and an arm whose ' +
        'collisions are ignored presses a part up to 16 mm (226 N). A cell whose objects ' +
        'overlap by more than 2 mm cannot be put back. In the engine no object is lighter than ' +
        '1 % of the heaviest. An impact is unevenly spread over the contact points: an object ' +
        'dropped flat by 0.1 m or more may bounce up by some mm and fall over, where a real one ' +
        'may stand. Once objects that touch each other rest, they are held where they are: a ' +
        'stack does not drift, also beside a running belt. A part at a stop of a running belt ' +
        'rests once it has moved slower than 2 mm/s for 0.1 s, and moves for as long when the ' +
        'belt starts again; while the arm presses it, it counts as moving. Objects on fast: ' +
        'They move quasi-statically. An object flies along a parabola without turning, loses ' +
        'its speed towards what it meets, and lands on the highest level surface beneath it; ' +
        'friction takes part of its level speed at the impact, and it slides until the rest is ' +
        'gone. Where its weight, with that of what stands on it, acts beyond the edge of the ' +
        'support, it turns at once by a right angle about that edge, with what stands on it, ' +
        'and falls to the next support; an inclined object turns onto a face. Where something ' +
        'is in the way of that, it turns until it leans on that and is marked as tipped, or ' +
        'slips off the edge where friction would not hold it. The event says what was not ' +
        'computed of a movement: how it turned or bounced off, whether it tumbled on its ' +
        'impact, what it leans on. It rides on belts with what stands on it, and is pushed ' +
        'without turning, with what is in its way; where it is pressed beyond its edge by more ' +
        'than its weight balances it gives way to the arm and stays; it has settled once no ' +
        'push has moved it by 0.1 mm for 50 ms, also at a stop of a running belt. It stays on a ' +
        'tilted surface without sliding. It rides on belts at their speed, whatever its ' +
        'friction, until its rear face has passed the end. On both plants a part on two scales ' +
        'loads the one beneath its centre. Sensors: Beams and sensors are exact and read once a ' +
        'tick.',
    },
    {
      what: 'Emulated servos',
      how:
        "--bus memory and emulate-bus emulate the servos' packets, control tables, control " +
        "loops, motors and line faults. Gains, currents and speeds are the maker's. The torque " +
        'is that of the arm model, since no servo of the family lifts this arm. Friction, ' +
        'overload and what a tripped watchdog does to a position goal are estimates. Nothing ' +
        'was measured on a servo. The jaws of a gripper end, and meet a part, without giving way. ' +
        "Not emulated: the supply's current limit, the time of bytes on the wire, the heat of a " +
        "gripper's servo.",
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
        'versions on one kind of machine. Between processor families a tolerance holds until ' +
        'equality is proven.',
    },
  ],
};
