// GENERATED from contract/schema and tools/generate/field-notes.json by tools/generate.mjs; do not edit.
export const FIELD_NOTES: { readonly [schema: string]: { readonly [path: string]: string } } = {
 "PoseValidBody": {
  "joints": "Six joint angles in radians; all zeros is the upright pose.",
  "tcp_config": "The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.",
  "avoidance_zones": "At most ten zones with unique names."
 },
 "ForwardKinematicsBody": {
  "joints": "Six joint angles in radians; all zeros is the upright pose.",
  "tcp_config": "The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.",
  "avoidance_zones": "At most ten zones with unique names."
 },
 "InverseKinematicsBody": {
  "guess": "Six joint angles in radians; all zeros is the upright pose.",
  "position": "Three numbers along the axes of a frame; metres unless said otherwise.",
  "orientation": "Orientation with scalar part w; normalised by the service, never all zeros.",
  "tcp_config": "The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.",
  "avoidance_zones": "At most ten zones with unique names."
 },
 "NudgeBody": {
  "joints": "Six joint angles in radians; all zeros is the upright pose.",
  "direction": "Axis of the robot frame along which the tool moves.",
  "tcp_config": "The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.",
  "avoidance_zones": "At most ten zones with unique names."
 },
 "RotateBody": {
  "joints": "Six joint angles in radians; all zeros is the upright pose.",
  "axis": "Axis of the tool about which it turns.",
  "tcp_config": "The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.",
  "avoidance_zones": "At most ten zones with unique names."
 },
 "FailedCalculation": {
  "error": "Error code of a motion or a calculation (§2.4)."
 },
 "PoseValidReply": {
  "pose": "Pose of the tool point.",
  "pose.valid": "Whether the pose is free of collisions and within its limits.",
  "pose.status": "Status."
 },
 "ForwardKinematicsReply": {
  "fk": "A pose of the tool point, or an error."
 },
 "InverseKinematicsReply": {
  "ik": "Joint angles, or an error."
 },
 "NudgeReply": {
  "nudge": "Joint angles, or an error."
 },
 "RotateReply": {
  "rotate": "Joint angles, or an error."
 },
 "CalculatedPose": {
  "position": "Three numbers along the axes of a frame; metres unless said otherwise.",
  "orientation": "Orientation with scalar part w; normalised by the service, never all zeros."
 },
 "CalculatedJoints": {
  "joints": "Six joint angles in radians; all zeros is the upright pose."
 },
 "CellSize": {
  "x": "Along x (m in vectors and sizes).",
  "y": "Along y (m in vectors and sizes).",
  "z": "Along z (m in vectors and sizes)."
 },
 "BoxShape": {
  "size_m": "Edge lengths (m)."
 },
 "CylinderShape": {
  "diameter_m": "Diameter. In m.",
  "height_m": "Height. In m."
 },
 "MicroplateShape": {
  "height_m": "Default 0.01435, the standard height. In m."
 },
 "TubeShape": {
  "diameter_m": "Diameter. In m.",
  "height_m": "Height. In m."
 },
 "CellNest": {
  "name": "Name for people.",
  "orientation": "Orientation with scalar part w; normalised by the service, never all zeros."
 },
 "CellBox": {
  "size_m": "Edge lengths (m).",
  "orientation": "Orientation with scalar part w; normalised by the service, never all zeros."
 },
 "CellFixture": {
  "name": "Name for people.",
  "orientation": "Orientation with scalar part w; normalised by the service, never all zeros.",
  "boxes": "A box of a fixture.",
  "nests": "A place for one object on a fixture or on another object.",
  "stiffness_n_per_m": "Stiffness of a contact with the arm; default 25000. In N/m."
 },
 "CellObject": {
  "name": "Name for people.",
  "shape": "The shape of an object. Its frame lies in the middle of its bottom face, z up.",
  "mass_kg": "At least 0.1 g (limit cell_mass_min_kg), at most what the arm can carry. In kg.",
  "orientation": "Orientation with scalar part w; normalised by the service, never all zeros."
 },
 "JawGripper": {
  "name": "Name for people.",
  "output": "A digital output of base or end effector.",
  "tip_m": "Grasp centre in the flange frame: midway between the pads, or the middle of the cup. In m.",
  "force_n": "Force. In N.",
  "mass_kg": "Mass of the gripper; default 0. In kg."
 },
 "SuctionGripper": {
  "name": "Name for people.",
  "output": "A digital output of base or end effector.",
  "tip_m": "Grasp centre in the flange frame: midway between the pads, or the middle of the cup. In m.",
  "force_n": "Force. In N.",
  "mass_kg": "Mass of the gripper; default 0. In kg."
 },
 "BeamSensor": {
  "name": "Name for people.",
  "input": "A digital input of base or end effector.",
  "from": "Three numbers along the axes of a frame; metres unless said otherwise.",
  "to": "Three numbers along the axes of a frame; metres unless said otherwise."
 },
 "PresenceSensor": {
  "name": "Name for people.",
  "input": "A digital input of base or end effector.",
  "size_m": "Edge lengths (m).",
  "orientation": "Orientation with scalar part w; normalised by the service, never all zeros."
 },
 "DistanceSensor": {
  "name": "Name for people.",
  "input": "An analog input of base or end effector.",
  "position": "Three numbers along the axes of a frame; metres unless said otherwise.",
  "direction": "Three numbers along the axes of a frame; metres unless said otherwise.",
  "range_m": "Largest distance that the sensor sees. In m."
 },
 "WeightSensor": {
  "name": "Name for people.",
  "input": "An analog input of base or end effector.",
  "full_scale_kg": "Largest mass that the sensor weighs. In kg."
 },
 "ConveyorEncoder": {
  "input": "An analog input of base or end effector."
 },
 "CellConveyor": {
  "name": "Name for people.",
  "orientation": "Orientation with scalar part w; normalised by the service, never all zeros.",
  "size_m": "Edge lengths (m).",
  "encoder": "The travel of a belt as an analog signal."
 },
 "CellButton": {
  "name": "Name for people.",
  "input": "A digital input of base or end effector."
 },
 "CellDoor": {
  "name": "Name for people.",
  "input": "A digital input of base or end effector."
 },
 "Cell": {
  "name": "Name for people.",
  "fixtures": "A static body: table, nest, rack, hotel or frame.",
  "objects": "A body that can be moved.",
  "grippers": "A gripper at the flange, driven by an output.",
  "sensors": "A sensor that drives an input.",
  "conveyors": "A conveyor whose upper face moves.",
  "controls": "What a person operates."
 },
 "CellObjectState": {
  "name": "Name for people.",
  "orientation": "Orientation with scalar part w; normalised by the service, never all zeros.",
  "status": "Status."
 },
 "CellGripperState": {
  "name": "Name for people.",
  "opening_m": "Distance between the pads; 0 for suction. In m.",
  "holds": "What it holds, or whether the expectation holds.",
  "holds_at.position": "Three numbers along the axes of a frame; metres unless said otherwise.",
  "holds_at.orientation": "Orientation with scalar part w; normalised by the service, never all zeros."
 },
 "CellSensorState": {
  "name": "Name for people."
 },
 "CellConveyorState": {
  "name": "Name for people.",
  "running": "Whether it moves."
 },
 "CellControlState": {
  "name": "Name for people."
 },
 "CellState": {
  "objects": "An object now.",
  "grippers": "A gripper now.",
  "sensors": "A sensor now.",
  "conveyors": "A conveyor now.",
  "controls": "A button or door now."
 },
 "CellEvent": {
  "id": "Id; unique among objects of its kind.",
  "kind": "Kind; decides the other fields.",
  "tick": "Tick of the control loop: 4 ms of twin time each.",
  "orientation": "Orientation with scalar part w; normalised by the service, never all zeros."
 },
 "CellReply": {
  "cell": "The things around the arm. Lengths in m, robot frame; every name is unique in the cell.",
  "state": "The moving parts of a cell now."
 },
 "CellObjectReply": {
  "object": "An object now."
 },
 "MoveObjectBody": {
  "orientation": "Orientation with scalar part w; normalised by the service, never all zeros."
 },
 "ObjectUntilBody": {
  "object": "Name of the object.",
  "within_mm": "Distance from `at`, which must be a nest then; default 10. In mm."
 },
 "ObjectUntilReply": {
  "reached": "Whether it was reached in the given time.",
  "object": "An object now.",
  "clock": "The simulated time and its pace."
 },
 "SimCellEvent": {
  "cell": "The things around the arm. Lengths in m, robot frame; every name is unique in the cell."
 },
 "SimCellStateEvent": {
  "tick": "Tick of the control loop: 4 ms of twin time each.",
  "state": "The moving parts of a cell now."
 },
 "SimCellHappenedEvent": {
  "event": "Something that happened in the cell."
 },
 "RehearsalExpectations": {
  "objects.object": "Name of the object.",
  "objects.within_mm": "Distance from `at`, which must be a nest then; default 10. In mm.",
  "signals.output": "A digital output of base or end effector.",
  "signals.input": "A digital input of base or end effector.",
  "signals.value": "The value."
 },
 "Vector": {
  "x": "Along x (m in vectors and sizes).",
  "y": "Along y (m in vectors and sizes).",
  "z": "Along z (m in vectors and sizes)."
 },
 "Quaternion": {
  "w": "Real part.",
  "x": "Imaginary part i.",
  "y": "Imaginary part j.",
  "z": "Imaginary part k."
 },
 "AvoidanceZone": {
  "orientation": "Orientation with scalar part w; normalised by the service, never all zeros.",
  "dimensions": "Lengths of a box from its corner (m).",
  "avoid": "Which side of the box the arm must not enter."
 },
 "Dimensions": {
  "x": "Along x (m in vectors and sizes).",
  "y": "Along y (m in vectors and sizes).",
  "z": "Along z (m in vectors and sizes)."
 },
 "IoAddress": {
  "location": "Where the signal is: base or end effector.",
  "type": "Kind of the signal.",
  "index": "Index, starting at 0."
 },
 "ErrorBody": {
  "error": "What was wrong.",
  "error.error_code": "Code of the error (§7).",
  "error.title": "Fixed sentence for the kind of error."
 },
 "VersionsReply": {
  "APIs": "Versions of the API that the robot serves.",
  "robot": "Version of the robot software."
 },
 "NameReply": {
  "name": "Name for people."
 },
 "Changelog": {
  "version": "Version of the robot software.",
  "content": "What changed."
 },
 "Update": {
  "version": "Version of the robot software.",
  "changelogs": "What changed in each version."
 },
 "UpdatesReply": {
  "updates": "The updates that can be installed, next one first."
 },
 "ApplyUpdateBody": {
  "version": "Version of the robot software."
 },
 "RunBody": {
  "mode": "Teach mode is slow and requires a renewed lock; automatic mode does not."
 },
 "GoToBody": {
  "mode": "Teach mode is slow and requires a renewed lock; automatic mode does not.",
  "joints": "Six joint angles in radians; all zeros is the upright pose.",
  "time": "A duration (s), above 0.",
  "max_speed": "Speed of the tool point (m/s); limited to the maximum of the mode.",
  "tcp_config": "The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.",
  "avoidance_zones": "At most ten zones with unique names."
 },
 "SchedulerBody": {
  "enabled": "Whether it is on.",
  "start_time": "Time of day at which the run starts, HH:MM:SS.",
  "end_time": "Time of day at which the run stops after its loop, HH:MM:SS."
 },
 "CollisionDetectionBody": {
  "enabled": "Whether it is on.",
  "sensitivity": "Higher values let lighter impacts stop the robot."
 },
 "EventReply": {
  "event": "What the call caused.",
  "event.details": "More about it; null when there is nothing to say.",
  "event.name": "Name for people."
 },
 "Snapshot": {
  "collision_detection": "State of collision detection.",
  "control": "State machine, loops and loaded toolpath.",
  "global": "Emergency stop.",
  "global.inputs": "Values of the inputs.",
  "global.outputs": "Values of the outputs.",
  "scheduler": "State of the daily schedule."
 },
 "CollisionDetectionState": {
  "enabled": "Whether it is on.",
  "sensitivity": "Higher values let lighter impacts stop the robot."
 },
 "ControlState": {
  "state": "State.",
  "toolpath_name": "Name of the loaded toolpath; empty without one.",
  "toolpath_hash": "Hash of the loaded toolpath; empty without one.",
  "run_mode": "Mode of the motion; `not_running` without one."
 },
 "Inputs": {
  "d0": "Digital signal 0 of the base.",
  "d1": "Digital signal 1 of the base.",
  "d2": "Digital signal 2 of the base.",
  "d3": "Digital signal 3 of the base.",
  "a0": "Analog signal 0 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.",
  "a1": "Analog signal 1 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.",
  "a0_mode": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "a1_mode": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "ee_d0": "Digital signal 0 of the end effector.",
  "ee_d1": "Digital signal 1 of the end effector."
 },
 "Outputs": {
  "d0": "Digital signal 0 of the base.",
  "d1": "Digital signal 1 of the base.",
  "d2": "Digital signal 2 of the base.",
  "d3": "Digital signal 3 of the base.",
  "a0": "Analog signal 0 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.",
  "a1": "Analog signal 1 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.",
  "a0_mode": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "a1_mode": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "ee_d0": "Digital signal 0 of the end effector.",
  "ee_d1": "Digital signal 1 of the end effector."
 },
 "SchedulerState": {
  "enabled": "Whether it is on.",
  "start_time": "Time of day at which the run starts, HH:MM:SS.",
  "stop_time": "Time of day at which the run stops after its loop, HH:MM:SS."
 },
 "SnapshotChanges": {
  "collision_detection": "State of collision detection.",
  "collision_detection.enabled": "Whether it is on.",
  "collision_detection.sensitivity": "Higher values let lighter impacts stop the robot.",
  "control": "State machine, loops and loaded toolpath.",
  "control.state": "State.",
  "control.toolpath_name": "Name of the loaded toolpath; empty without one.",
  "control.toolpath_hash": "Hash of the loaded toolpath; empty without one.",
  "control.run_mode": "Mode of the motion; `not_running` without one.",
  "global": "Emergency stop.",
  "global.inputs": "Values of the inputs.",
  "global.inputs.d0": "Digital signal 0 of the base.",
  "global.inputs.d1": "Digital signal 1 of the base.",
  "global.inputs.d2": "Digital signal 2 of the base.",
  "global.inputs.d3": "Digital signal 3 of the base.",
  "global.inputs.a0": "Analog signal 0 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.",
  "global.inputs.a1": "Analog signal 1 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.",
  "global.inputs.a0_mode": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "global.inputs.a1_mode": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "global.inputs.ee_d0": "Digital signal 0 of the end effector.",
  "global.inputs.ee_d1": "Digital signal 1 of the end effector.",
  "global.outputs": "Values of the outputs.",
  "global.outputs.d0": "Digital signal 0 of the base.",
  "global.outputs.d1": "Digital signal 1 of the base.",
  "global.outputs.d2": "Digital signal 2 of the base.",
  "global.outputs.d3": "Digital signal 3 of the base.",
  "global.outputs.a0": "Analog signal 0 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.",
  "global.outputs.a1": "Analog signal 1 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.",
  "global.outputs.a0_mode": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "global.outputs.a1_mode": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "global.outputs.ee_d0": "Digital signal 0 of the end effector.",
  "global.outputs.ee_d1": "Digital signal 1 of the end effector.",
  "scheduler": "State of the daily schedule.",
  "scheduler.enabled": "Whether it is on.",
  "scheduler.start_time": "Time of day at which the run starts, HH:MM:SS.",
  "scheduler.stop_time": "Time of day at which the run stops after its loop, HH:MM:SS."
 },
 "SnapshotReply": {
  "snapshot": "The whole state of the robot under flat names."
 },
 "ChangeGlobalsBody": {
  "changes": "Changes in the order in which they are applied."
 },
 "ChangeGlobalsReply": {
  "changes": "The changed parts of a snapshot; arrays are complete."
 },
 "FieldProblem": {
  "problem": "What is wrong with the value."
 },
 "NotReadyDetails": {
  "reasons": "Why, one sentence each."
 },
 "InvalidChange": {
  "index": "Index, starting at 0.",
  "error": "What was wrong."
 },
 "FailedChangesDetails": {
  "changes": "The body of every error reply (§7)."
 },
 "ToolpathErrorDetails": {
  "error": "What was wrong.",
  "code": "Error code of a motion or a calculation (§2.4)."
 },
 "MotionRefusalDetails": {
  "error": "What was wrong.",
  "code": "Error code of a motion or a calculation (§2.4).",
  "minimum_time_s": "Shortest time of this motion in seconds, with the code time_too_short. In s."
 },
 "UserCreatedEvent": {
  "user": "The user."
 },
 "UserUpdatedEvent": {
  "user": "The user."
 },
 "UserDeletedEvent": {
  "user": "The user."
 },
 "ToolpathCreatedEvent": {
  "toolpath": "A saved toolpath without its content."
 },
 "ToolpathUpdatedEvent": {
  "toolpath": "A saved toolpath without its content."
 },
 "ToolpathSharedEvent": {
  "toolpath": "The toolpath."
 },
 "ToolpathDeletedEvent": {
  "toolpath": "A saved toolpath without its content."
 },
 "LockStatusEvent": {
  "lock": "The lock as the receiver of the event sees it."
 },
 "BackdrivingEvent": {
  "waypoint": "Six joint angles in radians; all zeros is the upright pose."
 },
 "StateChangeEvent": {
  "changes": "The changed parts of a snapshot; arrays are complete."
 },
 "ConfigChangeEvent": {
  "kind": "Kind; decides the other fields.",
  "message": "Text for people."
 },
 "UpdateInProgressEvent": {
  "message": "Text for people."
 },
 "LockStatus": {
  "owner": "The owner of the lock, from the view of the reader.",
  "status": "Status."
 },
 "LogInBody": {
  "email": "E-mail address, the name for logging in.",
  "password": "Password."
 },
 "SimClock": {
  "pace": "Simulated seconds per wall second, `max` or `stepped`.",
  "paused": "Whether time stands still."
 },
 "ClockBody": {
  "pace": "Simulated seconds per wall second, `max` or `stepped`.",
  "paused": "Whether time stands still."
 },
 "StepBody": {
  "ticks": "Number of ticks: 4 ms of twin time each."
 },
 "RunUntilBody": {
  "state": "State."
 },
 "RunUntilReply": {
  "reached": "Whether it was reached in the given time.",
  "state": "State.",
  "clock": "The simulated time and its pace."
 },
 "SetInputsBody": {
  "values": "Values by key.",
  "values.d0": "Digital signal 0 of the base.",
  "values.d1": "Digital signal 1 of the base.",
  "values.d2": "Digital signal 2 of the base.",
  "values.d3": "Digital signal 3 of the base.",
  "values.a0_mode": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "values.a1_mode": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "values.ee_d0": "Digital signal 0 of the end effector.",
  "values.ee_d1": "Digital signal 1 of the end effector."
 },
 "InputsReply": {
  "inputs": "Values of the inputs, by key."
 },
 "Wire": {
  "output": "Key of the output.",
  "input": "Key of the input."
 },
 "Loopback": {
  "wires": "An input that follows an output of its own kind."
 },
 "EmergencyStopBody": {
  "engaged": "Whether the emergency stop is pressed."
 },
 "HalfSizes": {
  "x": "Along x (m in vectors and sizes).",
  "y": "Along y (m in vectors and sizes).",
  "z": "Along z (m in vectors and sizes)."
 },
 "AddObstacleBody": {
  "name": "Name for people.",
  "position": "Three numbers along the axes of a frame; metres unless said otherwise.",
  "half": "Half sizes (m).",
  "orientation": "Orientation with scalar part w; normalised by the service, never all zeros.",
  "stiffness_n_per_m": "Default 25000, a stiff foam. In N/m."
 },
 "SimObstacle": {
  "id": "Id; unique among objects of its kind.",
  "name": "Name for people.",
  "position": "Three numbers along the axes of a frame; metres unless said otherwise.",
  "half": "Half sizes (m).",
  "orientation": "Orientation with scalar part w; normalised by the service, never all zeros.",
  "stiffness_n_per_m": "Default 25000, a stiff foam. In N/m."
 },
 "ObstacleReply": {
  "obstacle": "The obstacle."
 },
 "ObstaclesReply": {
  "obstacles": "The obstacles."
 },
 "ArmProfile": {
  "name": "Name for people.",
  "captures": "Recordings that the profile was fitted to.",
  "motion": "How the planner of the arm times straight joint motions.",
  "friction": "Friction of the joints.",
  "load": "What the flange carries, in the frame of the flange.",
  "noise": "Standard deviations of the measured angles and rates.",
  "not_identifiable": "Values that the recordings do not determine, with reasons."
 },
 "ProfileGap": {
  "value": "The value.",
  "reason": "Why."
 },
 "ProfileMotion": {
  "law": "Law of motion that fits best.",
  "velocity_rad_s": "Speed limits; the rating of the arm is 120 °/s. In rad/s."
 },
 "ProfileFriction": {
  "viscous_n_m_s": "Viscous friction of the joints. In N·m·s/rad.",
  "coulomb_n_m": "Coulomb friction of the joints. In N·m."
 },
 "ProfileLoad": {
  "mass_kg": "Mass. In kg.",
  "centre_of_mass_m": "Centre of mass in the flange frame: x, y, z. In m.",
  "centre_of_mass_m.x": "Along x (m in vectors and sizes).",
  "centre_of_mass_m.y": "Along y (m in vectors and sizes).",
  "centre_of_mass_m.z": "Along z (m in vectors and sizes)."
 },
 "ProfileNoise": {
  "position_rad": "Position. In rad.",
  "velocity_rad_s": "Velocity. In rad/s."
 },
 "LoadInertia": {
  "xx": "Moment about x (kg·m²).",
  "yy": "Moment about y (kg·m²).",
  "zz": "Moment about z (kg·m²).",
  "xy": "Product of x and y (kg·m²).",
  "xz": "Product of x and z (kg·m²).",
  "yz": "Product of y and z (kg·m²)."
 },
 "SimLoad": {
  "mass_kg": "At most the payload of the arm. In kg.",
  "centre_of_mass_m": "In the flange frame. In m.",
  "centre_of_mass_m.x": "Along x (m in vectors and sizes).",
  "centre_of_mass_m.y": "Along y (m in vectors and sizes).",
  "centre_of_mass_m.z": "Along z (m in vectors and sizes).",
  "inertia": "Inertia about the centre of mass as tensor elements, flange axes (kg m²)."
 },
 "LoadReply": {
  "payload_kg": "Payload of the loaded toolpath, which the arm expects. In kg."
 },
 "SimContact": {
  "id": "Id; unique among objects of its kind.",
  "at_s": "Simulated time of the touch. In s.",
  "ended_s": "Simulated time of the last force; null while the contact lasts. In s.",
  "place": "Three numbers along the axes of a frame; metres unless said otherwise.",
  "speed_m_s": "Speed of the body at the touch, along the contact normal. In m/s.",
  "peak_force_n": "Largest force of the contact so far. In N.",
  "residual_force_n": "Force now; 0 once the bodies are apart. In N."
 },
 "ContactsReply": {
  "contacts": "A contact of the arm. It lasts until its bodies have been apart for half a second.",
  "force_limits": "Limits of contact forces by region of the body (ISO/TS 15066).",
  "force_limits.region": "Region of the body.",
  "force_limits.quasi_static_n": "Largest permitted force of a contact that lasts. In N.",
  "force_limits.transient_n": "Null where a transient contact is not permissible. In N.",
  "note": "What the figures are and are not."
 },
 "SimContactEvent": {
  "contact": "A contact of the arm. It lasts until its bodies have been apart for half a second."
 },
 "DriverFaultBody": {
  "joint": "Index of the joint, 0 at the base.",
  "fault": "The fault; null without one."
 },
 "SimFault": {
  "id": "Id; unique among objects of its kind.",
  "fault": "The fault to inject."
 },
 "FaultReply": {
  "fault": "The fault; null without one."
 },
 "FaultsReply": {
  "faults": "The injected faults that are active."
 },
 "ChangeConfigBody": {
  "kind": "Kind; decides the other fields.",
  "message": "Text for people."
 },
 "Approximation": {
  "what": "What is simulated.",
  "how": "How it is approximated."
 },
 "FidelityReply": {
  "not_there": "What the simulation leaves out.",
  "approximate": "What the simulation only approximates."
 },
 "SimWaiting": {
  "condition": "What has to hold.",
  "since_s": "Simulated time at which the wait began. In s."
 },
 "SimActivity": {
  "kind": "Kind; decides the other fields.",
  "mode": "Teach mode is slow and requires a renewed lock; automatic mode does not.",
  "waiting": "What the present step waits for."
 },
 "SimStatus": {
  "tick": "Tick of the control loop: 4 ms of twin time each.",
  "state": "State.",
  "state_since_s": "Simulated time at which the state was entered, or the twin restored. In s.",
  "fault.kind": "Kind; decides the other fields.",
  "activity": "The present run, home or go_to, and its progress in simulated time."
 },
 "SimStatusEvent": {
  "status": "State of the robot with its cause, and the progress of its activity."
 },
 "SimViolationEvent": {
  "statement": "The statement that did not hold.",
  "tick": "Tick of the control loop: 4 ms of twin time each."
 },
 "SimLogEvent": {
  "level": "How serious it is.",
  "text": "Text for people.",
  "tick": "Tick of the control loop: 4 ms of twin time each."
 },
 "SimTouchingEvent": {
  "touches": "Bodies that touch now.",
  "touches.obstacle": "The obstacle.",
  "touches.force_n": "Force. In N."
 },
 "SimLockEvent": {
  "holder": "Who holds the lock; null while it is free.",
  "holder.user_id": "Id of the user.",
  "holder.role": "Role of the user."
 },
 "SimClockEvent": {
  "clock": "The simulated time and its pace."
 },
 "SeedToken": {
  "name": "Name for people.",
  "token": "API token."
 },
 "SeedUser": {
  "email": "E-mail address, the name for logging in.",
  "password": "Password.",
  "role": "Role of the user.",
  "tokens": "An API token with a given secret."
 },
 "SeedToolpath": {
  "name": "Name for people.",
  "toolpath": "The toolpath."
 },
 "SeedBody": {
  "name": "Name for people.",
  "clock": "Pace of the clock.",
  "clock.pace": "Simulated seconds per wall second, `max` or `stepped`.",
  "clock.paused": "Whether time stands still.",
  "users": "Identified by e-mail; created or updated.",
  "toolpaths": "Identified by owner and name; saved or updated.",
  "pose": "Six joint angles in radians; all zeros is the upright pose.",
  "state": "State.",
  "inputs": "Values of the inputs, by key.",
  "inputs.d0": "Digital signal 0 of the base.",
  "inputs.d1": "Digital signal 1 of the base.",
  "inputs.d2": "Digital signal 2 of the base.",
  "inputs.d3": "Digital signal 3 of the base.",
  "inputs.a0_mode": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "inputs.a1_mode": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "inputs.ee_d0": "Digital signal 0 of the end effector.",
  "inputs.ee_d1": "Digital signal 1 of the end effector.",
  "outputs": "Values of the outputs, by key.",
  "outputs.d0": "Digital signal 0 of the base.",
  "outputs.d1": "Digital signal 1 of the base.",
  "outputs.d2": "Digital signal 2 of the base.",
  "outputs.d3": "Digital signal 3 of the base.",
  "outputs.a0": "Analog signal 0 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.",
  "outputs.a1": "Analog signal 1 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.",
  "outputs.a0_mode": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "outputs.a1_mode": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "outputs.ee_d0": "Digital signal 0 of the end effector.",
  "outputs.ee_d1": "Digital signal 1 of the end effector.",
  "loopback": "An input that follows an output of its own kind.",
  "obstacles": "A box that the controller does not know about.",
  "cell": "The things around the arm. Lengths in m, robot frame; every name is unique in the cell."
 },
 "NamedStateBody": {
  "name": "Name for people."
 },
 "NamedState": {
  "name": "Name for people.",
  "tick": "Tick of the control loop: 4 ms of twin time each.",
  "state": "State."
 },
 "NamedStateReply": {
  "state": "State."
 },
 "NamedStatesReply": {
  "states": "The named snapshots."
 },
 "StateFile": {
  "name": "Name for people.",
  "sha256": "SHA-256 of the content, as hex."
 },
 "JournalEntry": {
  "id": "Id; unique among objects of its kind.",
  "method": "HTTP method.",
  "path": "Path of the value or of the call.",
  "user_id": "Id of the user.",
  "status": "Status.",
  "duration_ms": "Duration. In ms.",
  "tick": "Tick of the control loop: 4 ms of twin time each."
 },
 "JournalSearchBody": {
  "method": "HTTP method.",
  "user_id": "Id of the user.",
  "status": "Status.",
  "limit": "Most entries of the reply."
 },
 "JournalReply": {
  "entries": "One completed call."
 },
 "JournalVerifyBody": {
  "method": "HTTP method.",
  "user_id": "Id of the user.",
  "status": "Status."
 },
 "NearMiss": {
  "entry": "One completed call.",
  "differs": "Fields in which the call differs from the expected one."
 },
 "JournalVerifyReply": {
  "holds": "What it holds, or whether the expectation holds.",
  "matched": "Number of calls that match.",
  "near_misses": "A near miss of the expected call."
 },
 "CollisionFaultBody": {
  "joint": "Index of the joint, 0 at the base."
 },
 "SensorNoiseFaultBody": {
  "position_rad": "Position. In rad.",
  "velocity_rad_s": "Velocity. In rad/s.",
  "temperature_c": "Temperature. In °C.",
  "seed": "Seed of the random numbers."
 },
 "StuckInputFaultBody": {
  "input": "Key of the input."
 },
 "ReplyFaultBody": {
  "method": "HTTP method.",
  "effect": "What happens to the message."
 },
 "StreamFaultBody": {
  "message": "Text for people.",
  "effect": "What happens to the message."
 },
 "GripperFaultBody": {
  "gripper": "Name of the gripper, or what it holds."
 },
 "ObjectFaultBody": {
  "object": "Name of the object."
 },
 "CellSensorFaultBody": {
  "sensor": "Name of the sensor."
 },
 "ConveyorFaultBody": {
  "conveyor": "Name of the conveyor."
 },
 "RecordingReply": {
  "recording": "Whether the twin records.",
  "bytes": "Size of the recording so far (bytes)."
 },
 "RobotRun": {
  "id": "Id; unique among objects of its kind.",
  "toolpath_hash": "Hash of the loaded toolpath; empty without one.",
  "outcome": "How it ended, or `running`."
 },
 "ToolpathEntry": {
  "id": "Id; unique among objects of its kind.",
  "name": "Name for people.",
  "hash": "SHA-256 in hexadecimal of the canonical JSON of the toolpath."
 },
 "ReplayRunBody": {
  "fault": "The fault to inject.",
  "toolpath": "The toolpath."
 },
 "ReplayRunReply": {
  "outcome": "How it ended, or `running`."
 },
 "ServoReading": {
  "model": "Name of the servo model."
 },
 "JointDifference": {
  "position_rad": "Position. In rad.",
  "torque_n_m": "Torque. In N·m.",
  "position_rms_rad": "Root mean square of the difference of the position. In rad.",
  "position_max_rad": "Largest difference of the position. In rad.",
  "torque_rms_n_m": "Root mean square of the difference of the torque. In N·m.",
  "torque_max_n_m": "Largest difference of the torque. In N·m."
 },
 "DriverFault": {
  "kind": "Kind; decides the other fields.",
  "message": "Text for people."
 },
 "ServosReply": {
  "driver": "Name of the joint driver.",
  "fault": "The fault that prevents motion.",
  "bus": "The servo bus."
 },
 "Toolpath": {
  "metadata": "Version, defaults, tool and zones.",
  "timeline": "Actions in the order in which they are executed.",
  "waypoints": "A pose; its index in the array is its waypoint_id.",
  "routines": "Timelines that actions call by name."
 },
 "ToolpathMetadata": {
  "default_max_speed": "Speed of the tool point (m/s); limited to the maximum of the mode.",
  "analog_modes": "Modes of the base analog inputs and outputs.",
  "output_on_error": "Output to set when an error occurs while the toolpath runs.",
  "tcp_config": "The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.",
  "avoidance_zones": "At most ten zones with unique names."
 },
 "AnalogModes": {
  "i0": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "i1": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "o0": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
  "o1": "Signal of an analog line: 0 to 10 V or 4 to 20 mA."
 },
 "OutputOnError": {
  "io": "One input or output: base digital 0 to 3, every other kind 0 to 1.",
  "value": "Boolean for digital, number for analog."
 },
 "Waypoint": {
  "label": "Name of the waypoint, at most 16 characters.",
  "joints": "Six joint angles in radians; all zeros is the upright pose."
 },
 "Routine": {
  "name": "Name for people.",
  "timeline": "Actions in the order in which they are executed."
 },
 "HomeAction": {
  "waypoint_id": "Index into waypoints."
 },
 "TrajectoryAction": {
  "waypoint_id": "Index into waypoints.",
  "pass_through": "Whether the motion goes on without a stop at the waypoint.",
  "trajectory": "Kind of the motion.",
  "time": "A duration (s), above 0.",
  "max_speed": "Speed of the tool point (m/s); limited to the maximum of the mode."
 },
 "OutputSetAction": {
  "io": "One input or output: base digital 0 to 3, every other kind 0 to 1.",
  "value": "Boolean for digital, number for analog."
 },
 "WaitAction": {
  "condition": "What has to hold."
 },
 "GridAction": {
  "cols": "Number of cells along the first side of the grid.",
  "rows": "Number of cells along the second side of the grid.",
  "w0": "Index into waypoints.",
  "wx": "Index into waypoints.",
  "wy": "Index into waypoints.",
  "timeline": "Actions in the order in which they are executed."
 },
 "GridWaypointAction": {
  "time": "A duration (s), above 0.",
  "max_speed": "Speed of the tool point (m/s); limited to the maximum of the mode."
 },
 "IfAction": {
  "branches": "Alternatives, tried in order; the first whose condition holds is run."
 },
 "IfBranch": {
  "condition": "What has to hold.",
  "timeline": "Actions in the order in which they are executed."
 },
 "CallRoutineAction": {
  "routine": "Name of the routine.",
  "name": "Name for people."
 },
 "TimeCondition": {
  "duration": "A duration (s), above 0."
 },
 "InputCondition": {
  "io": "One input or output: base digital 0 to 3, every other kind 0 to 1.",
  "operator": "How the value is compared.",
  "thresholds": "Bounds of an analog value; the operator decides which of them are needed.",
  "value": "Boolean for digital, number for analog."
 },
 "OutputCondition": {
  "io": "One input or output: base digital 0 to 3, every other kind 0 to 1.",
  "operator": "How the value is compared.",
  "thresholds": "Bounds of an analog value; the operator decides which of them are needed.",
  "value": "Boolean for digital, number for analog."
 },
 "Thresholds": {
  "upper": "Upper threshold.",
  "lower": "Lower threshold."
 },
 "ToolpathHead": {
  "id": "Id; unique among objects of its kind.",
  "name": "Name for people.",
  "hash": "SHA-256 in hexadecimal of the canonical JSON of the toolpath."
 },
 "ToolpathsReply": {
  "toolpaths": "A saved toolpath without its content."
 },
 "ToolpathStatusReply": {
  "status": "Status.",
  "toolpath": "A saved toolpath without its content."
 },
 "StoredToolpath": {
  "id": "Id; unique among objects of its kind.",
  "name": "Name for people.",
  "hash": "SHA-256 in hexadecimal of the canonical JSON of the toolpath.",
  "toolpath": "The toolpath."
 },
 "ToolpathReply": {
  "toolpath": "The toolpath."
 },
 "BuiltToolpath": {
  "id": "Id; unique among objects of its kind.",
  "name": "Name for people.",
  "hash": "SHA-256 in hexadecimal of the canonical JSON of the toolpath.",
  "toolpath": "The toolpath.",
  "trajectory": "An error with a timeline is soft; an error without a timeline is hard."
 },
 "BuiltToolpathReply": {
  "toolpath": "The toolpath."
 },
 "SharedToolpath": {
  "name": "Name for people.",
  "hash": "SHA-256 in hexadecimal of the canonical JSON of the toolpath."
 },
 "ReceivedToolpath": {
  "name": "Name for people.",
  "hash": "SHA-256 in hexadecimal of the canonical JSON of the toolpath.",
  "toolpath": "The toolpath."
 },
 "ReceivedToolpathReply": {
  "toolpath": "The toolpath that another user shared last with the caller."
 },
 "SharedToolpathReply": {
  "toolpath": "The toolpath."
 },
 "HashedToolpath": {
  "hash": "SHA-256 in hexadecimal of the canonical JSON of the toolpath."
 },
 "CalcToolpathReply": {
  "toolpath": "The toolpath.",
  "trajectory": "An error with a timeline is soft; an error without a timeline is hard."
 },
 "MigratedToolpath": {
  "hash": "SHA-256 in hexadecimal of the canonical JSON of the toolpath.",
  "toolpath": "The toolpath."
 },
 "MigrateToolpathReply": {
  "toolpath": "The toolpath.",
  "breaking_changes": "Changes that alter what the toolpath does."
 },
 "SaveToolpathBody": {
  "name": "Name for people.",
  "toolpath": "The toolpath."
 },
 "ShareToolpathBody": {
  "name": "Name for people.",
  "user_id": "Id of the user.",
  "toolpath": "The toolpath."
 },
 "CalcToolpathBody": {
  "toolpath": "The toolpath."
 },
 "UseToolpathBody": {
  "name": "Name for people.",
  "toolpath": "The toolpath."
 },
 "MigrateToolpathBody": {
  "toolpath": "A toolpath of any format."
 },
 "Trajectory": {
  "error": "What was wrong.",
  "timeline": "Actions in the order in which they are executed.",
  "routines": "Timelines that actions call by name."
 },
 "TrajectoryRoutine": {
  "name": "Name for people.",
  "timeline": "Actions in the order in which they are executed."
 },
 "SegmentItem": {
  "setpoints": "Joint setpoints at 100 Hz."
 },
 "TrajectorySetpoint": {
  "result": "Whether the setpoint is valid.",
  "error": "Error code of a motion or a calculation (§2.4).",
  "joints": "Angles of the joints (rad)."
 },
 "OutputItem": {
  "io": "One input or output: base digital 0 to 3, every other kind 0 to 1.",
  "value": "Boolean for digital, number for analog."
 },
 "WaitItem": {
  "condition": "What has to hold."
 },
 "IfItem": {
  "branches": "Alternatives, tried in order; the first whose condition holds is run."
 },
 "TrajectoryBranch": {
  "condition": "What has to hold.",
  "timeline": "Actions in the order in which they are executed."
 },
 "CallRoutineItem": {
  "routine": "Name of the routine."
 },
 "User": {
  "id": "Id; unique among objects of its kind.",
  "email": "E-mail address, the name for logging in.",
  "role": "Role of the user."
 },
 "UserReply": {
  "user": "The user."
 },
 "UsersReply": {
  "users": "The users."
 },
 "CreateUserBody": {
  "email": "E-mail address, the name for logging in.",
  "password": "Password."
 },
 "UpdateUserBody": {
  "email": "E-mail address, the name for logging in.",
  "password": "Password.",
  "role": "Role of the user."
 },
 "ApiToken": {
  "id": "Id; unique among objects of its kind.",
  "name": "Name for people."
 },
 "TokensReply": {
  "tokens": "The API tokens, without their secrets."
 },
 "CreateTokenBody": {
  "name": "Name for people."
 },
 "CreatedTokenReply": {
  "id": "Id; unique among objects of its kind.",
  "name": "Name for people."
 },
 "Hook": {
  "type": "Kind; decides the other fields.",
  "filter": "Which events the hook receives.",
  "parameters": "Values for the hook.",
  "parameters.url": "Address of the receiver.",
  "parameters.headers": "Headers of the delivery.",
  "task_ids": "Ids of the tasks whose events the hook receives.",
  "labware_ids": "Ids of the labware whose events the hook receives.",
  "trigger_on": "Movement of labware that the hook waits for."
 },
 "RunStateChange": {
  "run_id": "Id of the run.",
  "state": "State.",
  "message": "Text for people."
 },
 "TaskStateChange": {
  "run_id": "Id of the run.",
  "task_id": "Id of the task.",
  "instrument_id": "Id of the instrument.",
  "state": "State.",
  "action": "What the task does at the instrument.",
  "error": "What was wrong."
 },
 "SafetyStateChange": {
  "run_id": "Id of the run.",
  "state": "State."
 },
 "LabwareMovement": {
  "run_id": "Id of the run.",
  "labware_id": "Id of the piece of labware.",
  "state": "State.",
  "source_instrument_id": "Id of the instrument that the piece comes from.",
  "destination_instrument_id": "Id of the instrument that the piece moves to.",
  "source_slot": "Slot that the piece comes from.",
  "destination_slot": "Slot that the piece moves to."
 },
 "NewPlan": {
  "run_id": "Id of the run.",
  "remaining_worktime": "Time until the end of the plan (s)."
 },
 "RunStateChangeEvent": {
  "sequence": "Number of the event in its run, counted from 1.",
  "body": "Content of the event, as it is sent to the hook."
 },
 "TaskStateChangeEvent": {
  "sequence": "Number of the event in its run, counted from 1.",
  "body": "Content of the event, as it is sent to the hook."
 },
 "SafetyStateChangeEvent": {
  "sequence": "Number of the event in its run, counted from 1.",
  "body": "Content of the event, as it is sent to the hook."
 },
 "LabwareMovementEvent": {
  "sequence": "Number of the event in its run, counted from 1.",
  "body": "Content of the event, as it is sent to the hook."
 },
 "NewPlanEvent": {
  "sequence": "Number of the event in its run, counted from 1.",
  "body": "Content of the event, as it is sent to the hook."
 },
 "RunEventsReply": {
  "events": "An event that can trigger a hook, with the payload."
 },
 "DeliveryAttempt": {
  "status": "Status.",
  "error": "What was wrong.",
  "duration_ms": "Duration. In ms."
 },
 "Delivery": {
  "id": "Id; unique among objects of its kind.",
  "message_id": "Id of the message; the same in each attempt.",
  "run_id": "Id of the run.",
  "hook_type": "Class of the event.",
  "url": "Address of the receiver.",
  "sequence": "Number of the event in its run, counted from 1.",
  "body": "Content of the event, as it is sent to the hook.",
  "attempts": "`status` is null without a reply."
 },
 "DeliveriesReply": {
  "deliveries": "One delivery to one address."
 },
 "DeliveryReply": {
  "delivery": "One delivery to one address."
 },
 "TestHookBody": {
  "url": "Address of the receiver.",
  "headers": "Headers of the delivery.",
  "hook_type": "Class of the event."
 },
 "SigningSecret": {
  "secret": "Secret that signs deliveries (whsec_…).",
  "previous_valid_until": "Time until which the secret before is accepted too."
 },
 "SecretReply": {
  "signing": "Secret of Standard Webhooks signatures; after a rotation the previous one stays valid for a day (wall time), whatever further rotations there are."
 },
 "WorkflowDefinition": {
  "name": "Name for people.",
  "metadata": "Version, defaults, tool and zones.",
  "hooks": "Receivers of the events of runs.",
  "workflow": "The workflow.",
  "workflow.labware_types": "The types of labware.",
  "workflow.labware": "The pieces of labware.",
  "workflow.time_constraints": "Limits of the time between two tasks.",
  "workflow.instrument_blocks": "Times in which an instrument is not available.",
  "workflow.hooks": "Receivers of the events of runs.",
  "workcell.workcell_id": "Id of the workcell.",
  "workcell.instruments": "The instruments.",
  "workcell.transport_matrix": "Times of transports between instruments.",
  "workcell.transport_matrix.paths": "Time of the transports in one direction. Of several paths that fit, one between instruments counts before one with a bench.",
  "run_instructions": "Text for the operator.",
  "scheduler_config": "Configuration of the planner.",
  "parameter_definitions": "Parameters that a run may set."
 },
 "TransportPath": {
  "time": "Duration of the transport (s)."
 },
 "WorkflowInstrument": {
  "id": "Id; unique among objects of its kind.",
  "name": "Name for people.",
  "type": "Kind; decides the other fields.",
  "bench": "Bench that the instrument stands on.",
  "driver": "Name of the joint driver.",
  "config": "Settings of the instrument.",
  "mappings": "Names that stand for the instrument or the task.",
  "simulate": "Whether the instrument is simulated."
 },
 "WorkflowLabware": {
  "id": "Id; unique among objects of its kind.",
  "labware_type": "Name of the type.",
  "starting_location": "Where the piece stands at the start.",
  "starting_location.instrument": "Id of the instrument.",
  "starting_location.slot": "Slot of the instrument."
 },
 "LabwareNeed": {
  "type": "Kind; decides the other fields.",
  "labware_id": "Id of the piece of labware.",
  "source_task": "Id of the task that delivers the piece.",
  "dependencies": "Ids of the tasks that must have ended before.",
  "units_consumed": "Amount of the piece that the task uses up."
 },
 "LabwareOutput": {
  "type": "Kind; decides the other fields.",
  "labware_id": "Id of the piece of labware.",
  "slot": "Slot of the instrument.",
  "destination_slot": "Slot that the piece moves to.",
  "units_produced": "Amount that the task adds to the piece."
 },
 "WorkflowTask": {
  "id": "Id; unique among objects of its kind.",
  "description": "Text for people.",
  "dependencies": "Ids of the tasks that must have ended before.",
  "instrument": "Id of the instrument.",
  "instrument.type": "Kind; decides the other fields.",
  "instrument.mappings": "Names that stand for the instrument or the task.",
  "action": "What the task does at the instrument.",
  "time_estimate": "Expected duration of the task (s).",
  "inputs": "Values of the inputs, by key.",
  "skip": "Whether the task is left out.",
  "mock_behaviour": "How the simulated instrument behaves.",
  "mock_behaviour.execution_time": "Simulated duration of the task (s).",
  "mock_behaviour.success": "Whether the simulated task succeeds.",
  "mock_behaviour.data_outputs": "Values that the task reports.",
  "available_failure_actions.complete_manually": "Whether an operator may declare the failed task done.",
  "available_failure_actions.retry": "Whether the failed task may be tried again.",
  "available_failure_actions.ignore": "Whether the failed task may be skipped."
 },
 "WorkflowTimeConstraint": {
  "id": "Id; unique among objects of its kind.",
  "type": "Kind; decides the other fields.",
  "start_task_id": "Id of the task at which the constraint starts.",
  "end_task_id": "Id of the task at which the constraint ends.",
  "min_duration": "Shortest time between the two tasks (s).",
  "max_duration": "Longest time between the two tasks (s)."
 },
 "StationConfig": {
  "approach": "Six joint angles in radians; all zeros is the upright pose.",
  "grip": "Six joint angles in radians; all zeros is the upright pose."
 },
 "TransportConfig": {
  "home": "Six joint angles in radians; all zeros is the upright pose.",
  "default_max_speed": "Tool speed of transports (m/s).",
  "gripper": "Name of the gripper, or what it holds.",
  "gripper.location": "Where the signal is: base or end effector.",
  "gripper.index": "Index, starting at 0.",
  "gripper.closed": "Value of the output at which the gripper is closed.",
  "gripper.settle_s": "Time that the gripper takes to close. In s."
 },
 "WorkflowHead": {
  "id": "Id; unique among objects of its kind.",
  "name": "Name for people.",
  "warnings": "What is accepted and may be a mistake."
 },
 "WorkflowReply": {
  "workflow": "The workflow."
 },
 "WorkflowsReply": {
  "workflows": "The workflows."
 },
 "StoredWorkflow": {
  "id": "Id; unique among objects of its kind.",
  "name": "Name for people.",
  "warnings": "What is accepted and may be a mistake.",
  "definition": "The definition as it was saved."
 },
 "StoredWorkflowReply": {
  "workflow": "The workflow."
 },
 "ValidationReply": {
  "is_valid": "Whether runs can be made of the definition.",
  "errors": "What makes the definition invalid.",
  "errors.path": "Path of the value or of the call.",
  "errors.message": "Text for people.",
  "warnings": "What is accepted and may be a mistake."
 },
 "PlannedWorkflowTask": {
  "start": "Start of the operation, in s from the start of the plan.",
  "end": "End of the operation, in s from the start of the plan.",
  "instrument": "Id of the instrument.",
  "labware_in": "Labware that the task needs.",
  "labware_out": "Labware that the task leaves."
 },
 "PlannedTransport": {
  "labware_id": "Id of the piece of labware.",
  "source_instrument_id": "Id of the instrument that the piece comes from.",
  "source_slot": "Slot that the piece comes from.",
  "destination_instrument_id": "Id of the instrument that the piece moves to.",
  "destination_slot": "Slot that the piece moves to.",
  "start": "Start of the operation, in s from the start of the plan.",
  "end": "End of the operation, in s from the start of the plan."
 },
 "WorkflowPlan": {
  "id": "Id; unique among objects of its kind.",
  "makespan": "Duration of the plan (s).",
  "lower_bound": "No plan can be shorter than this (s).",
  "transports": "Movements of labware.",
  "critical_path": "Operations that determine the makespan.",
  "cycle": "The shortest steady cycle found for equal pieces, or equal groups of pieces that share tasks."
 },
 "PlanCycle": {
  "period_s": "Time from the end of one group to that of the next. In s.",
  "lower_bound_s": "No steady cycle has a shorter period. In s.",
  "pieces_per_group": "Pieces of labware in each group."
 },
 "PlanReply": {
  "plan": "The plan.",
  "analysis": "Slack, critical path and bottleneck of the plan."
 },
 "RunFault": {
  "task_id": "Id of the task.",
  "error": "What was wrong.",
  "times": "Number of failures in a row; default 1."
 },
 "StartRunBody": {
  "simulate_time": "Refuses the run (501) while the clock follows real time or a multiple of it; it changes nothing else. At pace max or stepped a run takes no wall time by itself.",
  "simulate_drivers": "Whether the run leaves out arm and deck: moves only take their planned time. Instruments are always simulated.",
  "seed": "Seed of the random numbers.",
  "faults": "A failure of a simulated instrument; `times` consecutive failures, default 1."
 },
 "RunHead": {
  "id": "Id; unique among objects of its kind.",
  "workflow_id": "Id of the workflow.",
  "name": "Name for people.",
  "state": "State.",
  "message": "Text for people.",
  "stopped_at": "When the run was stopped; null while it runs."
 },
 "StartedRunReply": {
  "run": "The run."
 },
 "RunsReply": {
  "runs": "The runs, newest first."
 },
 "RunTask": {
  "id": "Id; unique among objects of its kind.",
  "state": "State.",
  "instrument_id": "Id of the instrument.",
  "started_at_s": "Time of the run at which it started. In s.",
  "ended_at_s": "Time of the run at which it ended. In s.",
  "error": "What was wrong.",
  "planned_start_s": "By the first plan of the run; null if that did not contain it. In s.",
  "planned_end_s": "Planned end in the time of the run; null if no plan contained it. In s."
 },
 "LabwarePlace": {
  "labware_id": "Id of the piece of labware.",
  "instrument_id": "Id of the instrument.",
  "slot": "Slot of the instrument."
 },
 "RunMove": {
  "labware_id": "Id of the piece of labware.",
  "source_instrument_id": "Id of the instrument that the piece comes from.",
  "source_slot": "Slot that the piece comes from.",
  "destination_instrument_id": "Id of the instrument that the piece moves to.",
  "destination_slot": "Slot that the piece moves to.",
  "started_at_s": "When the gripper held the piece, as the webhook `started`; null before. In s.",
  "ended_at_s": "When the piece rested in its slot, as the webhook `finished`. In s.",
  "planned_start_s": "When the gripper closes by the first plan; null if that did not contain it. In s.",
  "planned_end_s": "When the gripper opens by the first plan of the run. In s.",
  "arm_started_at_s": "Time of the run at which the arm set out for a move; null for a task. In s.",
  "arm_ended_at_s": "Time of the run at which the arm was home again after a move; null for a task. In s."
 },
 "WaitingTask": {
  "task_id": "Id of the task.",
  "reasons": "Why, one sentence each."
 },
 "RunDetails": {
  "id": "Id; unique among objects of its kind.",
  "workflow_id": "Id of the workflow.",
  "name": "Name for people.",
  "state": "State.",
  "message": "Text for people.",
  "stopped_at": "When the run was stopped; null while it runs.",
  "now_s": "Present time of the run. In s.",
  "tasks": "Times in seconds since the start of the run.",
  "labware": "Null while the arm carries the labware.",
  "moves": "Times in seconds since the start of the run.",
  "plan": "The plan.",
  "waiting": "Tasks that wait, with the reason.",
  "workcell_id": "Id of the workcell.",
  "violations": "A broken limit of time; seconds since the start of the run.",
  "limits": "A limit of time in a run. Void: one of its tasks is skipped or aborted.",
  "schedule": "What decides the order of an active run among others, and the labware that an operator holds."
 },
 "RunReply": {
  "run": "The run."
 },
 "PauseRunBody": {
  "immediate": "Whether a move that is under way stops at once and continues when the run resumes; default false. A running task always ends by itself, as an instrument cannot be interrupted."
 },
 "TaskChoiceBody": {
  "task_id": "Id of the task."
 },
 "InstrumentStateBody": {
  "instrument_id": "Id of the instrument.",
  "is_up": "Whether the instrument works."
 },
 "WorkcellBody": {
  "instruments": "The instruments.",
  "transport_matrix": "Times of transports between instruments.",
  "transport_matrix.paths": "Time of the transports in one direction. Of several paths that fit, one between instruments counts before one with a bench."
 },
 "WorkcellHead": {
  "id": "Id; unique among objects of its kind.",
  "name": "Name for people."
 },
 "WorkcellsReply": {
  "workcells": "The workcells."
 },
 "StoredWorkcell": {
  "id": "Id; unique among objects of its kind.",
  "name": "Name for people.",
  "instruments": "The instruments.",
  "transport_matrix": "Times of transports between instruments.",
  "transport_matrix.paths": "Time of the transports in one direction. Of several paths that fit, one between instruments counts before one with a bench."
 },
 "WorkcellReply": {
  "workcell": "The workcell."
 },
 "DeckLabware": {
  "labware_id": "Id of the piece of labware.",
  "instrument_id": "Id of the instrument.",
  "slot": "Slot of the instrument."
 },
 "DeckBody": {
  "labware": "The pieces of labware."
 },
 "DeckState": {
  "workcell_id": "Id of the workcell.",
  "labware": "The pieces of labware.",
  "gripper": "Name of the gripper, or what it holds."
 },
 "DeckReply": {
  "deck": "What stands where."
 },
 "LimitViolation": {
  "constraint_id": "Id of the time constraint.",
  "kind": "Kind; decides the other fields.",
  "limit_s": "The limit. In s.",
  "elapsed_s": "Until the end of the limit, or until now. In s.",
  "at_s": "When it was broken. In s.",
  "on_violation": "What the run does when the limit is exceeded."
 },
 "RunLimit": {
  "constraint_id": "Id of the time constraint.",
  "state": "State.",
  "min_s": "Shortest permitted time. In s.",
  "max_s": "Longest permitted time; null without one. In s.",
  "elapsed_s": "Time since the start of the constraint; null before it. In s.",
  "planned_s": "Planned time; null without a plan. In s.",
  "slack_s": "Planned distance to `max_s`; negative if the plan breaks the limit. In s."
 },
 "LabwareChoiceBody": {
  "labware_id": "Id of the piece of labware."
 },
 "WhatIfChoice": {
  "choice": "The choice that was planned.",
  "makespan_s": "Planned end, in seconds since the start of the run; null without a plan. In s.",
  "aborted_tasks": "Ids of the tasks that this choice aborts."
 },
 "WhatIfReply": {
  "choices": "Every choice with its plan."
 },
 "RunSchedule": {
  "priority": "Runs with a larger number go first.",
  "start_after_s": "Time of the workcell before which the run does not start. In s.",
  "due_s": "Time of the workcell by which the run should end; null without one. In s.",
  "held_labware": "Ids of the labware that the run holds."
 },
 "RunOperation": {
  "kind": "Kind; decides the other fields.",
  "task_id": "Id of the task.",
  "labware_id": "Id of the piece of labware.",
  "slot": "Slot of the instrument.",
  "source_instrument_id": "Id of the instrument that the piece comes from.",
  "source_slot": "Slot that the piece comes from.",
  "state": "State.",
  "planned_start_s": "Planned start in the time of the run; null if no plan contained it. In s.",
  "planned_end_s": "Planned end in the time of the run; null if no plan contained it. In s.",
  "started_at_s": "Time of the run at which it started. In s.",
  "ended_at_s": "Time of the run at which it ended. In s.",
  "started_at": "When it started (RFC 3339); null before it.",
  "ended_at": "When it ended (RFC 3339); null before it.",
  "error": "What was wrong.",
  "arm_started_at_s": "Time of the run at which the arm set out for a move; null for a task. In s.",
  "arm_ended_at_s": "Time of the run at which the arm was home again after a move; null for a task. In s."
 },
 "RunReport": {
  "run": "The run.",
  "operations": "A task or a move, which lasts from the grip until the piece rests. Times in seconds since the start of the run, and in RFC 3339.",
  "violations": "A broken limit of time; seconds since the start of the run."
 },
 "PlannedOperation": {
  "name": "Name for people.",
  "task_id": "Id of the task.",
  "labware_id": "Id of the piece of labware.",
  "instrument_id": "Id of the instrument.",
  "start_s": "Start in the time of the plan. In s.",
  "end_s": "End in the time of the plan. In s.",
  "slack_s": "How much later it could end without a later end of the plan. In s.",
  "is_critical": "Whether a delay of the operation delays the end of the plan."
 },
 "PlanAnalysis": {
  "operations": "An operation of a plan. `slack_s`: how much later it could end without a later end of the plan, in the order of the plan and without regard to upper limits of time."
 },
 "RunPlanReply": {
  "plan": "The plan.",
  "analysis": "Slack, critical path and bottleneck of the plan."
 },
 "RobustnessReply": {
  "robustness.executions": "Number of executions with scattered durations.",
  "robustness.planned_makespan_s": "Makespan of the plan. In s.",
  "robustness.mean_makespan_s": "Mean makespan of the executions. In s.",
  "robustness.p90_makespan_s": "Nine of ten executions have ended by then. In s.",
  "robustness.limits": "The limits of time.",
  "robustness.limits.id": "Id; unique among objects of its kind.",
  "robustness.limits.holds": "What it holds, or whether the expectation holds."
 }
};
