// GENERATED from contract/schema by tools/generate.mjs; do not edit.
import type { MotionError } from './errors.ts';


/**
 * Six joint angles in radians; all zeros is the upright pose.
 *
 * @minItems 6
 * @maxItems 6
 */
export type Joints = [number, number, number, number, number, number]
/**
 * At most ten zones with unique names.
 */
export type AvoidanceZones = AvoidanceZone[]
export type Axis = ("x" | "y" | "z")
/**
 * Error code of a motion or a calculation (§2.4).
 */
export type MotionErrorCode = MotionError
/**
 * A pose of the tool point, or an error.
 */
export type FoundPose = (CalculatedPose | FailedCalculation)
/**
 * Joint angles, or an error.
 */
export type FoundJoints = (CalculatedJoints | FailedCalculation)
/**
 * A digital output of base or end effector.
 */
export type DigitalOutputKey = ("d0" | "d1" | "d2" | "d3" | "ee_d0" | "ee_d1")
/**
 * A digital input of base or end effector.
 */
export type DigitalInputKey = ("d0" | "d1" | "d2" | "d3" | "ee_d0" | "ee_d1")
/**
 * An analog input of base or end effector.
 */
export type AnalogInputKey = ("a0" | "a1" | "ee_a0" | "ee_a1")
/**
 * The shape of an object. Its frame lies in the middle of its bottom face, z up.
 */
export type CellShape = (BoxShape | CylinderShape | MicroplateShape | TubeShape)
export type Name = string
/**
 * A gripper at the flange, driven by an output.
 */
export type CellGripper = (JawGripper | SuctionGripper)
/**
 * A sensor that drives an input.
 */
export type CellSensor = (BeamSensor | PresenceSensor | DistanceSensor | WeightSensor)
/**
 * What a person operates.
 */
export type CellControl = (CellButton | CellDoor)
/**
 * Simulated seconds per wall second, `max` or `stepped`.
 */
export type PaceName = (number | ("max" | "stepped"))
/**
 * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
 */
export type AnalogMode = ("voltage" | "current")
/**
 * Boolean for digital, number for analog.
 */
export type IoValue = (boolean | number)
/**
 * Teach mode is slow and requires a renewed lock; automatic mode does not.
 */
export type RunMode = ("automatic" | "teach")
/**
 * Higher values let lighter impacts stop the robot.
 */
export type Sensitivity = ("low" | "medium" | "high")
export type Role = ("admin" | "user")
/**
 * A duration (s), above 0.
 */
export type Seconds = number
/**
 * Speed of the tool point (m/s); limited to the maximum of the mode.
 */
export type Speed = number
export type TimeOfDay = string
export type RobotStateName = ("ready" | "error" | "running" | "paused" | "stopping" | "backdriving" | "updating" | "disabled" | "shutting_down" | "collision")
/**
 * @minItems 6
 * @maxItems 6
 */
export type JointReadings = [number, number, number, number, number, number]
/**
 * What was wrong and what to do, or null.
 */
export type TextDetails = (string | null)
/**
 * The invalid places of the request.
 */
export type ProblemDetails = FieldProblem[]
/**
 * The invalid changes by their index in the request.
 */
export type InvalidChangesDetails = InvalidChange[]
/**
 * One message of the stream.
 */
export type RobotEvent = (UserCreatedEvent | UserUpdatedEvent | UserDeletedEvent | ToolpathCreatedEvent | ToolpathUpdatedEvent | ToolpathSharedEvent | ToolpathDeletedEvent | LockStatusEvent | BackdrivingEvent | StateChangeEvent | ConfigChangeEvent | UpdateInProgressEvent)
export type ToolpathId = number
/**
 * SHA-256 in hexadecimal of the canonical JSON of the toolpath.
 */
export type ToolpathHash = string
/**
 * The owner of the lock, from the view of the reader.
 */
export type LockOwner = ("you" | "admin" | "user" | "none")
/**
 * The fault to inject.
 */
export type AddFaultBody = (DriverFaultBody | CollisionFaultBody | SensorNoiseFaultBody | StuckInputFaultBody | UpdateFaultBody | SlowPlannerFaultBody | FailingPlannerFaultBody | ReplyFaultBody | StreamFaultBody | DiskFullFaultBody | GripperFaultBody | ObjectFaultBody | CellSensorFaultBody | ConveyorFaultBody)
/**
 * One message of the stream of simulation events.
 */
export type SimEvent = (SimLogEvent | SimTouchingEvent | SimContactEvent | SimLockEvent | SimClockEvent | SimStatusEvent | SimViolationEvent | SimCellEvent | SimCellStateEvent | SimCellHappenedEvent)
export type WaitCondition = (TimeCondition | InputCondition | OutputCondition)
export type Operator = ("equal" | "below" | "above" | "inside" | "outside")
export type ResetScope = ("state" | "toolpaths" | "users" | "clock" | "faults" | "obstacles" | "recording" | "workflows")
export type Action = (HomeAction | TrajectoryAction | OutputSetAction | WaitAction | RestartAction | GridAction | GridWaypointAction | IfAction | CallRoutineAction)
/**
 * Index into waypoints.
 */
export type WaypointIndex = number
export type TestCondition = (InputCondition | OutputCondition)
export type Timeline = Action[]
export type TrajectoryItem = (SegmentItem | OutputItem | WaitItem | GridItem | IfItem | RestartItem | CallRoutineItem)
export type TrajectoryTimeline = TrajectoryItem[]
export type HookTypeName = ("RunStateChangeHook" | "TaskStateChangeHook" | "SafetyStateChangeHook" | "LabwareMovementHook" | "NewPlanHook")
/**
 * An event that can trigger a hook, with the payload.
 */
export type RunEvent = (RunStateChangeEvent | TaskStateChangeEvent | SafetyStateChangeEvent | LabwareMovementEvent | NewPlanEvent)
export type RunStateName = ("started" | "paused" | "stopped")

export interface SchemaTypes {
  PoseValidBody: PoseValidBody
  ForwardKinematicsBody: ForwardKinematicsBody
  InverseKinematicsBody: InverseKinematicsBody
  NudgeBody: NudgeBody
  RotateBody: RotateBody
  FailedCalculation: FailedCalculation
  PoseValidReply: PoseValidReply
  FoundPose: FoundPose
  FoundJoints: FoundJoints
  ForwardKinematicsReply: ForwardKinematicsReply
  InverseKinematicsReply: InverseKinematicsReply
  NudgeReply: NudgeReply
  RotateReply: RotateReply
  CalculatedPose: CalculatedPose
  CalculatedJoints: CalculatedJoints
  DigitalOutputKey: DigitalOutputKey
  DigitalInputKey: DigitalInputKey
  AnalogInputKey: AnalogInputKey
  CellSize: CellSize
  BoxShape: BoxShape
  CylinderShape: CylinderShape
  MicroplateShape: MicroplateShape
  TubeShape: TubeShape
  CellShape: CellShape
  CellNest: CellNest
  CellBox: CellBox
  CellFixture: CellFixture
  CellObject: CellObject
  JawGripper: JawGripper
  SuctionGripper: SuctionGripper
  CellGripper: CellGripper
  BeamSensor: BeamSensor
  PresenceSensor: PresenceSensor
  DistanceSensor: DistanceSensor
  WeightSensor: WeightSensor
  CellSensor: CellSensor
  ConveyorEncoder: ConveyorEncoder
  CellConveyor: CellConveyor
  CellButton: CellButton
  CellDoor: CellDoor
  CellControl: CellControl
  Cell: Cell
  CellObjectState: CellObjectState
  CellGripperState: CellGripperState
  CellSensorState: CellSensorState
  CellConveyorState: CellConveyorState
  CellControlState: CellControlState
  CellState: CellState
  CellEvent: CellEvent
  CellReply: CellReply
  CellObjectReply: CellObjectReply
  CellEventsReply: CellEventsReply
  MoveObjectBody: MoveObjectBody
  CellControlBody: CellControlBody
  ObjectUntilBody: ObjectUntilBody
  ObjectUntilReply: ObjectUntilReply
  SimCellEvent: SimCellEvent
  SimCellStateEvent: SimCellStateEvent
  SimCellHappenedEvent: SimCellHappenedEvent
  Joints: Joints
  Vector: Vector
  Quaternion: Quaternion
  TcpConfig: TcpConfig
  AvoidanceZone: AvoidanceZone
  Dimensions: Dimensions
  AvoidanceZones: AvoidanceZones
  IoAddress: IoAddress
  AnalogMode: AnalogMode
  IoValue: IoValue
  RunMode: RunMode
  Axis: Axis
  Sensitivity: Sensitivity
  Role: Role
  Seconds: Seconds
  Speed: Speed
  Name: Name
  TimeOfDay: TimeOfDay
  MotionErrorCode: MotionErrorCode
  ErrorBody: ErrorBody
  Nothing: Nothing
  VersionsReply: VersionsReply
  NameReply: NameReply
  Changelog: Changelog
  Update: Update
  UpdatesReply: UpdatesReply
  ApplyUpdateBody: ApplyUpdateBody
  UpdatingReply: UpdatingReply
  RunBody: RunBody
  HomeBody: HomeBody
  GoToBody: GoToBody
  SchedulerBody: SchedulerBody
  CollisionDetectionBody: CollisionDetectionBody
  EventReply: EventReply
  Snapshot: Snapshot
  JointReadings: JointReadings
  RobotStateName: RobotStateName
  CollisionDetectionState: CollisionDetectionState
  ControlState: ControlState
  GlobalState: GlobalState
  Inputs: Inputs
  Outputs: Outputs
  SchedulerState: SchedulerState
  SnapshotChanges: SnapshotChanges
  SnapshotReply: SnapshotReply
  GlobalChange: GlobalChange
  ChangeGlobalsBody: ChangeGlobalsBody
  ChangeGlobalsReply: ChangeGlobalsReply
  TextDetails: TextDetails
  ProblemDetails: ProblemDetails
  FieldProblem: FieldProblem
  NotReadyDetails: NotReadyDetails
  InvalidChangesDetails: InvalidChangesDetails
  InvalidChange: InvalidChange
  FailedChangesDetails: FailedChangesDetails
  ToolpathErrorDetails: ToolpathErrorDetails
  MotionRefusalDetails: MotionRefusalDetails
  RobotEvent: RobotEvent
  UserCreatedEvent: UserCreatedEvent
  UserUpdatedEvent: UserUpdatedEvent
  UserDeletedEvent: UserDeletedEvent
  ToolpathCreatedEvent: ToolpathCreatedEvent
  ToolpathUpdatedEvent: ToolpathUpdatedEvent
  ToolpathSharedEvent: ToolpathSharedEvent
  ToolpathDeletedEvent: ToolpathDeletedEvent
  LockStatusEvent: LockStatusEvent
  BackdrivingEvent: BackdrivingEvent
  StateChangeEvent: StateChangeEvent
  ConfigChangeEvent: ConfigChangeEvent
  UpdateInProgressEvent: UpdateInProgressEvent
  LockOwner: LockOwner
  LockStatus: LockStatus
  CreateSessionBody: CreateSessionBody
  LogInBody: LogInBody
  TokenReply: TokenReply
  PaceName: PaceName
  SimClock: SimClock
  ClockBody: ClockBody
  StepBody: StepBody
  AdvanceBody: AdvanceBody
  RunUntilBody: RunUntilBody
  RunUntilReply: RunUntilReply
  SetInputsBody: SetInputsBody
  InputsReply: InputsReply
  Wire: Wire
  Loopback: Loopback
  EmergencyStopBody: EmergencyStopBody
  PushBody: PushBody
  ButtonsBody: ButtonsBody
  HalfSizes: HalfSizes
  AddObstacleBody: AddObstacleBody
  SimObstacle: SimObstacle
  ObstacleReply: ObstacleReply
  ObstaclesReply: ObstaclesReply
  ArmProfile: ArmProfile
  ProfileGap: ProfileGap
  ProfileMotion: ProfileMotion
  ProfileFriction: ProfileFriction
  ProfileLoad: ProfileLoad
  ProfileNoise: ProfileNoise
  LoadInertia: LoadInertia
  SimLoad: SimLoad
  LoadReply: LoadReply
  SimContact: SimContact
  ContactsReply: ContactsReply
  SimContactEvent: SimContactEvent
  DriverFaultBody: DriverFaultBody
  AddFaultBody: AddFaultBody
  SimFault: SimFault
  FaultReply: FaultReply
  FaultsReply: FaultsReply
  ChangeConfigBody: ChangeConfigBody
  Approximation: Approximation
  FidelityReply: FidelityReply
  SimEvent: SimEvent
  SimWaiting: SimWaiting
  SimStep: SimStep
  SimActivity: SimActivity
  SimStatus: SimStatus
  SimStatusEvent: SimStatusEvent
  SimViolationEvent: SimViolationEvent
  SimLogEvent: SimLogEvent
  SimTouchingEvent: SimTouchingEvent
  SimLockEvent: SimLockEvent
  SimClockEvent: SimClockEvent
  ResetScope: ResetScope
  ResetBody: ResetBody
  SeedToken: SeedToken
  SeedUser: SeedUser
  SeedToolpath: SeedToolpath
  SeedBody: SeedBody
  NamedStateBody: NamedStateBody
  NamedState: NamedState
  NamedStateReply: NamedStateReply
  NamedStatesReply: NamedStatesReply
  StateFile: StateFile
  JournalEntry: JournalEntry
  JournalSearchBody: JournalSearchBody
  JournalReply: JournalReply
  JournalVerifyBody: JournalVerifyBody
  NearMiss: NearMiss
  JournalVerifyReply: JournalVerifyReply
  CollisionFaultBody: CollisionFaultBody
  SensorNoiseFaultBody: SensorNoiseFaultBody
  StuckInputFaultBody: StuckInputFaultBody
  UpdateFaultBody: UpdateFaultBody
  SlowPlannerFaultBody: SlowPlannerFaultBody
  FailingPlannerFaultBody: FailingPlannerFaultBody
  ReplyFaultBody: ReplyFaultBody
  StreamFaultBody: StreamFaultBody
  DiskFullFaultBody: DiskFullFaultBody
  GripperFaultBody: GripperFaultBody
  ObjectFaultBody: ObjectFaultBody
  CellSensorFaultBody: CellSensorFaultBody
  ConveyorFaultBody: ConveyorFaultBody
  RecordingReply: RecordingReply
  RecordingFileReply: RecordingFileReply
  ServoReading: ServoReading
  BusReading: BusReading
  JointDifference: JointDifference
  DriverFault: DriverFault
  ServosReply: ServosReply
  Toolpath: Toolpath
  ToolpathMetadata: ToolpathMetadata
  AnalogModes: AnalogModes
  OutputOnError: OutputOnError
  Waypoint: Waypoint
  Routine: Routine
  Timeline: Timeline
  Action: Action
  WaypointIndex: WaypointIndex
  HomeAction: HomeAction
  TrajectoryAction: TrajectoryAction
  OutputSetAction: OutputSetAction
  WaitAction: WaitAction
  RestartAction: RestartAction
  GridAction: GridAction
  GridWaypointAction: GridWaypointAction
  IfAction: IfAction
  IfBranch: IfBranch
  CallRoutineAction: CallRoutineAction
  WaitCondition: WaitCondition
  TestCondition: TestCondition
  TimeCondition: TimeCondition
  InputCondition: InputCondition
  OutputCondition: OutputCondition
  Operator: Operator
  Thresholds: Thresholds
  ToolpathHead: ToolpathHead
  ToolpathId: ToolpathId
  ToolpathHash: ToolpathHash
  ToolpathsReply: ToolpathsReply
  ToolpathStatusReply: ToolpathStatusReply
  StoredToolpath: StoredToolpath
  ToolpathReply: ToolpathReply
  BuiltToolpath: BuiltToolpath
  BuiltToolpathReply: BuiltToolpathReply
  SharedToolpath: SharedToolpath
  ReceivedToolpath: ReceivedToolpath
  ReceivedToolpathReply: ReceivedToolpathReply
  SharedToolpathReply: SharedToolpathReply
  HashedToolpath: HashedToolpath
  CalcToolpathReply: CalcToolpathReply
  MigratedToolpath: MigratedToolpath
  MigrateToolpathReply: MigrateToolpathReply
  OldToolpath: OldToolpath
  SaveToolpathBody: SaveToolpathBody
  ShareToolpathBody: ShareToolpathBody
  CalcToolpathBody: CalcToolpathBody
  UseToolpathBody: UseToolpathBody
  MigrateToolpathBody: MigrateToolpathBody
  Trajectory: Trajectory
  TrajectoryTimeline: TrajectoryTimeline
  TrajectoryRoutine: TrajectoryRoutine
  TrajectoryItem: TrajectoryItem
  SegmentItem: SegmentItem
  TrajectorySetpoint: TrajectorySetpoint
  OutputItem: OutputItem
  WaitItem: WaitItem
  GridItem: GridItem
  IfItem: IfItem
  TrajectoryBranch: TrajectoryBranch
  RestartItem: RestartItem
  CallRoutineItem: CallRoutineItem
  User: User
  UserReply: UserReply
  UsersReply: UsersReply
  CreateUserBody: CreateUserBody
  UpdateUserBody: UpdateUserBody
  ApiToken: ApiToken
  TokensReply: TokensReply
  CreateTokenBody: CreateTokenBody
  CreatedTokenReply: CreatedTokenReply
  HookTypeName: HookTypeName
  Hook: Hook
  RunStateChange: RunStateChange
  TaskStateChange: TaskStateChange
  SafetyStateChange: SafetyStateChange
  LabwareMovement: LabwareMovement
  NewPlan: NewPlan
  RunStateChangeEvent: RunStateChangeEvent
  TaskStateChangeEvent: TaskStateChangeEvent
  SafetyStateChangeEvent: SafetyStateChangeEvent
  LabwareMovementEvent: LabwareMovementEvent
  NewPlanEvent: NewPlanEvent
  RunEvent: RunEvent
  RunEventsReply: RunEventsReply
  DeliveryAttempt: DeliveryAttempt
  Delivery: Delivery
  DeliveriesReply: DeliveriesReply
  DeliveryReply: DeliveryReply
  RedeliverBody: RedeliverBody
  RedeliveredReply: RedeliveredReply
  TestHookBody: TestHookBody
  SigningSecret: SigningSecret
  SecretReply: SecretReply
  WorkflowDocument: WorkflowDocument
  WorkflowDefinition: WorkflowDefinition
  TransportPath: TransportPath
  WorkflowInstrument: WorkflowInstrument
  WorkflowLabware: WorkflowLabware
  LabwareNeed: LabwareNeed
  LabwareOutput: LabwareOutput
  WorkflowTask: WorkflowTask
  WorkflowTimeConstraint: WorkflowTimeConstraint
  StationConfig: StationConfig
  TransportConfig: TransportConfig
  WorkflowHead: WorkflowHead
  WorkflowReply: WorkflowReply
  WorkflowsReply: WorkflowsReply
  StoredWorkflow: StoredWorkflow
  StoredWorkflowReply: StoredWorkflowReply
  ValidationReply: ValidationReply
  PlannedWorkflowTask: PlannedWorkflowTask
  PlannedTransport: PlannedTransport
  WorkflowPlan: WorkflowPlan
  PlanReply: PlanReply
  RunFault: RunFault
  StartRunBody: StartRunBody
  RunStateName: RunStateName
  RunHead: RunHead
  StartedRunReply: StartedRunReply
  RunsReply: RunsReply
  RunTask: RunTask
  LabwarePlace: LabwarePlace
  RunMove: RunMove
  WaitingTask: WaitingTask
  RunDetails: RunDetails
  RunReply: RunReply
  PauseRunBody: PauseRunBody
  TaskChoiceBody: TaskChoiceBody
  InstrumentStateBody: InstrumentStateBody
  WorkcellBody: WorkcellBody
  WorkcellHead: WorkcellHead
  WorkcellsReply: WorkcellsReply
  StoredWorkcell: StoredWorkcell
  WorkcellReply: WorkcellReply
  DeckLabware: DeckLabware
  DeckBody: DeckBody
  DeckState: DeckState
  DeckReply: DeckReply
  LimitViolation: LimitViolation
  RunLimit: RunLimit
  LabwareChoiceBody: LabwareChoiceBody
  WhatIfChoice: WhatIfChoice
  WhatIfReply: WhatIfReply
  RunSchedule: RunSchedule
}
/**
 * Joint angles to check.
 */
export interface PoseValidBody {
  joints: Joints
  tcp_config?: TcpConfig
  avoidance_zones?: AvoidanceZones
}
/**
 * The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.
 */
export interface TcpConfig {
  offsets: Vector
  rotations: Vector
  /**
   * Radius of the cylinder (m).
   */
  radius: number
}
/**
 * Three numbers along the axes of a frame; metres unless said otherwise.
 */
export interface Vector {
  x: number
  y: number
  z: number
}
/**
 * A box that the robot must stay out of (inside) or within (outside).
 */
export interface AvoidanceZone {
  /**
   * Unique among the zones.
   */
  name: string
  position: Vector
  orientation: Quaternion
  dimensions: Dimensions
  avoid: ("inside" | "outside")
}
/**
 * Orientation with scalar part w; normalised by the service, never all zeros.
 */
export interface Quaternion {
  w: number
  x: number
  y: number
  z: number
}
/**
 * Lengths of a box from its corner (m).
 */
export interface Dimensions {
  x: number
  y: number
  z: number
}
/**
 * Joint angles to compute the tool pose for.
 */
export interface ForwardKinematicsBody {
  joints: Joints
  tcp_config?: TcpConfig
  avoidance_zones?: AvoidanceZones
}
/**
 * A pose of the tool point (m) and joint angles as the initial guess.
 */
export interface InverseKinematicsBody {
  guess: Joints
  position: Vector
  orientation: Quaternion
  tcp_config?: TcpConfig
  avoidance_zones?: AvoidanceZones
}
/**
 * A translation along an axis of the robot frame.
 */
export interface NudgeBody {
  joints: Joints
  direction: Axis
  /**
   * Shift (m).
   */
  offset: number
  tcp_config?: TcpConfig
  avoidance_zones?: AvoidanceZones
}
/**
 * A rotation about an axis of the tool.
 */
export interface RotateBody {
  joints: Joints
  axis: Axis
  /**
   * Angle (rad).
   */
  offset: number
  tcp_config?: TcpConfig
  avoidance_zones?: AvoidanceZones
}
export interface FailedCalculation {
  result: "error"
  error: MotionErrorCode
}
export interface PoseValidReply {
  pose: {
    valid: boolean
    status: string
  }
}
export interface CalculatedPose {
  result: "success"
  position: Vector
  orientation: Quaternion
}
export interface CalculatedJoints {
  result: "success"
  joints: Joints
}
export interface ForwardKinematicsReply {
  fk: FoundPose
}
export interface InverseKinematicsReply {
  ik: FoundJoints
}
export interface NudgeReply {
  nudge: FoundJoints
}
export interface RotateReply {
  rotate: FoundJoints
}
/**
 * Edge lengths (m).
 */
export interface CellSize {
  x: number
  y: number
  z: number
}
/**
 * A box.
 */
export interface BoxShape {
  kind: "box"
  size_m: CellSize
}
/**
 * A cylinder that stands on its end.
 */
export interface CylinderShape {
  kind: "cylinder"
  diameter_m: number
  height_m: number
}
/**
 * A microplate with the footprint of ANSI/SLAS 1-2004, 127.76 mm by 85.48 mm.
 */
export interface MicroplateShape {
  kind: "microplate"
  /**
   * Default 0.01435, the standard height.
   */
  height_m?: number
}
/**
 * A tube, as a cylinder with a flat bottom.
 */
export interface TubeShape {
  kind: "tube"
  diameter_m: number
  height_m: number
}
/**
 * A place for one object on a fixture or on another object.
 */
export interface CellNest {
  name: Name
  position: Vector
  orientation?: Quaternion
}
/**
 * A box of a fixture.
 */
export interface CellBox {
  size_m: CellSize
  position?: Vector
  orientation?: Quaternion
}
/**
 * A static body: table, nest, rack, hotel or frame.
 */
export interface CellFixture {
  name: Name
  position: Vector
  orientation?: Quaternion
  boxes: CellBox[]
  nests?: CellNest[]
  /**
   * Friction coefficient; default 0.5. The smoother one of two surfaces decides.
   */
  friction?: number
  /**
   * Stiffness of a contact with the arm; default 25000.
   */
  stiffness_n_per_m?: number
}
/**
 * A body that can be moved.
 */
export interface CellObject {
  name: Name
  shape: CellShape
  /**
   * At most what the arm can carry.
   */
  mass_kg: number
  /**
   * Friction coefficient; default 0.5. The smoother one of two surfaces decides.
   */
  friction?: number
  nest?: Name
  position?: Vector
  orientation?: Quaternion
  /**
   * Places for other objects on this one.
   */
  nests?: CellNest[]
}
/**
 * Two parallel jaws at the flange.
 */
export interface JawGripper {
  kind: "jaws"
  name: Name
  output: DigitalOutputKey
  /**
   * Value of the output that closes the gripper; default true.
   */
  closes_on?: boolean
  tip_m: Vector
  /**
   * Angle of the closing direction from the flange's x axis, about its z axis (rad); default 0.
   */
  jaw_angle_rad?: number
  /**
   * Distance between the open pads (m).
   */
  stroke_m: number
  /**
   * Size of a pad across closing direction and approach (m).
   */
  pad_width_m: number
  /**
   * Size of a pad along the approach (m).
   */
  pad_height_m: number
  force_n: number
  /**
   * Time from fully open to fully closed, or until the vacuum holds (s).
   */
  closing_time_s: number
  /**
   * Coefficient between gripper and object; default: the object's.
   */
  friction?: number
  /**
   * Mass of the gripper; default 0.
   */
  mass_kg?: number
  part_present_input?: DigitalInputKey
  closed_input?: DigitalInputKey
}
/**
 * A suction cup at the flange.
 */
export interface SuctionGripper {
  kind: "suction"
  name: Name
  output: DigitalOutputKey
  /**
   * Value of the output that closes the gripper; default true.
   */
  closes_on?: boolean
  tip_m: Vector
  /**
   * Radius of the cup (m).
   */
  radius_m: number
  /**
   * Greatest gap between cup and surface that the vacuum closes (m).
   */
  reach_m: number
  force_n: number
  /**
   * Time from fully open to fully closed, or until the vacuum holds (s).
   */
  closing_time_s: number
  /**
   * Coefficient between gripper and object; default: the object's.
   */
  friction?: number
  /**
   * Mass of the gripper; default 0.
   */
  mass_kg?: number
  part_present_input?: DigitalInputKey
}
/**
 * Active while an object crosses the line.
 */
export interface BeamSensor {
  kind: "beam"
  name: Name
  input: DigitalInputKey
  /**
   * True: the input is false while the sensor is active. Default false.
   */
  inverted?: boolean
  /**
   * Time from a change to its signal (s); default 0. A change that lasts shorter is not signalled.
   */
  delay_s?: number
  from: Vector
  to: Vector
}
/**
 * Active while the centre of an object is inside a box.
 */
export interface PresenceSensor {
  kind: "presence"
  name: Name
  input: DigitalInputKey
  /**
   * True: the input is false while the sensor is active. Default false.
   */
  inverted?: boolean
  /**
   * Time from a change to its signal (s); default 0. A change that lasts shorter is not signalled.
   */
  delay_s?: number
  position: Vector
  size_m: CellSize
  orientation?: Quaternion
}
/**
 * Measures the distance to the first object on a line.
 */
export interface DistanceSensor {
  kind: "distance"
  name: Name
  input: AnalogInputKey
  /**
   * Time from a change to its signal (s); default 0. A change that lasts shorter is not signalled.
   */
  delay_s?: number
  position: Vector
  direction: Vector
  range_m: number
  /**
   * Signal at distance 0 (V or mA).
   */
  at_zero: number
  /**
   * Signal at the end of the range and beyond (V or mA).
   */
  at_full_scale: number
}
/**
 * Measures the weight of what a gripper holds or a fixture carries.
 */
export interface WeightSensor {
  kind: "weight"
  name: Name
  input: AnalogInputKey
  /**
   * Time from a change to its signal (s); default 0. A change that lasts shorter is not signalled.
   */
  delay_s?: number
  of: Name
  full_scale_kg: number
  /**
   * Signal at no weight (V or mA).
   */
  at_zero: number
  /**
   * Signal at full scale and beyond (V or mA).
   */
  at_full_scale: number
}
/**
 * The travel of a belt as an analog signal.
 */
export interface ConveyorEncoder {
  input: AnalogInputKey
  /**
   * Travel after which the signal starts again (m).
   */
  span_m: number
  /**
   * Signal at the start of the span (V or mA).
   */
  at_zero: number
  /**
   * Signal at its end (V or mA).
   */
  at_full_scale: number
}
/**
 * A conveyor whose upper face moves.
 */
export interface CellConveyor {
  name: Name
  position: Vector
  orientation?: Quaternion
  size_m: CellSize
  /**
   * Speed of the surface along its x axis (m/s).
   */
  speed_m_s: number
  output?: DigitalOutputKey
  /**
   * Value of the output that runs it; default true.
   */
  runs_on?: boolean
  /**
   * Default 0.8.
   */
  friction?: number
  encoder?: ConveyorEncoder
}
/**
 * A push button.
 */
export interface CellButton {
  kind: "button"
  name: Name
  input: DigitalInputKey
  /**
   * True: the input is false while pressed. Default false.
   */
  inverted?: boolean
}
/**
 * A door of the guard.
 */
export interface CellDoor {
  kind: "door"
  name: Name
  input?: DigitalInputKey
  /**
   * True: the input is false while open. Default false.
   */
  inverted?: boolean
  /**
   * True: the open door engages the emergency stop. Default true.
   */
  stops?: boolean
}
/**
 * The things around the arm. Lengths in m, robot frame; every name is unique in the cell.
 */
export interface Cell {
  name: Name
  fixtures?: CellFixture[]
  objects?: CellObject[]
  grippers?: CellGripper[]
  sensors?: CellSensor[]
  conveyors?: CellConveyor[]
  controls?: CellControl[]
}
/**
 * An object now.
 */
export interface CellObjectState {
  name: Name
  position: Vector
  orientation: Quaternion
  status: ("resting" | "moving" | "held" | "tipped" | "missing")
  /**
   * The nest, else the fixture, conveyor or object on which it rests, or `floor`; null while it moves or is held.
   */
  at: (string | null)
  /**
   * The gripper that holds it.
   */
  held_by: (string | null)
}
/**
 * A gripper now.
 */
export interface CellGripperState {
  name: Name
  /**
   * Distance between the pads; 0 for suction.
   */
  opening_m: number
  /**
   * Whether its output closes it.
   */
  closed: boolean
  holds: (string | null)
  /**
   * Pose of the held object's bottom face in the flange frame (m); only while it holds one.
   */
  holds_at?: {
    position: Vector
    orientation: Quaternion
  }
}
/**
 * A sensor now.
 */
export interface CellSensorState {
  name: Name
  /**
   * Whether it detects something; an analog one: whether it reads more than nothing.
   */
  active: boolean
  /**
   * The value at its input (V or mA where analog).
   */
  value: (boolean | number)
}
/**
 * A conveyor now.
 */
export interface CellConveyorState {
  name: Name
  running: boolean
  travel_m: number
}
/**
 * A button or door now.
 */
export interface CellControlState {
  name: Name
  /**
   * Pressed, or open.
   */
  active: boolean
}
/**
 * The moving parts of a cell now.
 */
export interface CellState {
  objects: CellObjectState[]
  grippers: CellGripperState[]
  sensors: CellSensorState[]
  conveyors: CellConveyorState[]
  controls: CellControlState[]
}
/**
 * Something that happened in the cell.
 */
export interface CellEvent {
  id: number
  kind: ("grasped" | "missed" | "released" | "dropped" | "settled" | "tipped" | "slipped" | "jammed" | "sensor" | "passed")
  /**
   * Simulated time since the start (s).
   */
  at_s: number
  tick: number
  /**
   * The object; of `missed` the nearest one; null where there is none.
   */
  object: (string | null)
  /**
   * The gripper or sensor.
   */
  by: (string | null)
  /**
   * The nest, fixture, conveyor or object at which it happened.
   */
  at: (string | null)
  position: Vector
  orientation: Quaternion
  /**
   * What happened, in a sentence.
   */
  text: string
}
/**
 * The cell as described, and its state; null without a cell.
 */
export interface CellReply {
  cell: (null | Cell)
  state: (null | CellState)
}
export interface CellObjectReply {
  object: CellObjectState
  /**
   * Its latest events, oldest first.
   */
  events: CellEvent[]
}
export interface CellEventsReply {
  /**
   * The latest events, oldest first.
   */
  events: CellEvent[]
}
/**
 * Where a person puts the object.
 */
export interface MoveObjectBody {
  nest?: Name
  position?: Vector
  orientation?: Quaternion
}
export interface CellControlBody {
  /**
   * Pressed, or open.
   */
  active: boolean
}
/**
 * Where an object should be.
 */
export interface ObjectUntilBody {
  object: Name
  at?: Name
  held_by?: Name
  /**
   * Distance from the nest; default 10.
   */
  within_mm?: number
  /**
   * Maximum simulated time (s).
   */
  limit_s: number
}
export interface ObjectUntilReply {
  reached: boolean
  object: CellObjectState
  clock: SimClock
}
/**
 * The simulated time and its pace.
 */
export interface SimClock {
  /**
   * Ticks of 4 ms since the start.
   */
  tick: number
  /**
   * Simulated time since the start (s).
   */
  now_s: number
  /**
   * Simulated date and time.
   */
  date: string
  pace: PaceName
  paused: boolean
  /**
   * Simulated seconds per wall second over the last second.
   */
  real_time_factor: number
}
/**
 * The cell was replaced or removed.
 */
export interface SimCellEvent {
  type: "cell"
  cell: (null | Cell)
}
/**
 * The parts of the cell that changed since the last such message, each whole; at most every 20 ms.
 */
export interface SimCellStateEvent {
  type: "cell_state"
  tick: number
  state: CellState
}
/**
 * Something happened in the cell.
 */
export interface SimCellHappenedEvent {
  type: "cell_event"
  event: CellEvent
}
/**
 * One input or output: base digital 0 to 3, every other kind 0 to 1.
 */
export interface IoAddress {
  location: ("base" | "end_effector")
  type: ("analog" | "digital")
  index: number
}
/**
 * The body of every error reply (§7).
 */
export interface ErrorBody {
  error: {
    error_code: (0 | 1 | 3 | 4 | 5 | 6 | 8)
    title: string
    /**
     * Details, or null.
     */
    details: (string | unknown[] | {
      [k: string]: unknown
    } | null)
  }
}
/**
 * An empty object.
 */
export interface Nothing {

}
export interface VersionsReply {
  APIs: string[]
  robot: string
}
export interface NameReply {
  name: string
}
export interface Changelog {
  version: string
  content: string
}
export interface Update {
  version: string
  changelogs: Changelog[]
}
export interface UpdatesReply {
  updates: Update[]
}
export interface ApplyUpdateBody {
  version: string
}
export interface UpdatingReply {
  updating: true
}
export interface RunBody {
  mode: RunMode
  /**
   * Number of loops; 0 means endless.
   */
  loop: number
}
/**
 * home always runs in teach mode; the mode may be stated.
 */
export interface HomeBody {
  mode?: "teach"
}
/**
 * Only one of time and max_speed; with neither, max_speed is 0.25 m/s.
 */
export interface GoToBody {
  mode: RunMode
  joints: Joints
  time?: Seconds
  max_speed?: Speed
  tcp_config?: TcpConfig
  avoidance_zones?: AvoidanceZones
}
export interface SchedulerBody {
  enabled: boolean
  start_time?: TimeOfDay
  end_time?: TimeOfDay
}
export interface CollisionDetectionBody {
  enabled: boolean
  sensitivity?: Sensitivity
}
/**
 * The result of a use or scheduler call.
 */
export interface EventReply {
  event: {
    details: string
    name: ("EVENT_TOOLPATH_UPDATE" | "EVENT_SCHEDULER_UPDATE")
  }
}
/**
 * The whole state of the robot under flat names.
 */
export interface Snapshot {
  collision_detection: CollisionDetectionState
  control: ControlState
  global: GlobalState
  "global.inputs": Inputs
  "global.outputs": Outputs
  scheduler: SchedulerState
  "servos.telemetry.position": JointReadings
  "servos.telemetry.temperature": JointReadings
  "servos.telemetry.velocity": JointReadings
}
export interface CollisionDetectionState {
  enabled: boolean
  sensitivity: Sensitivity
}
export interface ControlState {
  state: RobotStateName
  /**
   * Completed loops of the selected toolpath.
   */
  loop_count: number
  /**
   * Number of loops; 0 means endless.
   */
  loop_target: number
  toolpath_name: string
  toolpath_hash: string
  run_mode: ("automatic" | "teach" | "not_running")
}
export interface GlobalState {
  /**
   * True while the emergency stop is engaged.
   */
  estop: boolean
}
export interface Inputs {
  d0: boolean
  d1: boolean
  d2: boolean
  d3: boolean
  a0: number
  a1: number
  a0_mode: AnalogMode
  a1_mode: AnalogMode
  /**
   * Volts.
   */
  ee_a0: number
  /**
   * Volts.
   */
  ee_a1: number
  ee_d0: boolean
  ee_d1: boolean
}
export interface Outputs {
  d0: boolean
  d1: boolean
  d2: boolean
  d3: boolean
  a0: number
  a1: number
  a0_mode: AnalogMode
  a1_mode: AnalogMode
  ee_d0: boolean
  ee_d1: boolean
}
export interface SchedulerState {
  enabled: boolean
  start_time: TimeOfDay
  stop_time: TimeOfDay
}
/**
 * The changed parts of a snapshot; arrays are complete.
 */
export interface SnapshotChanges {
  collision_detection?: {
    enabled?: boolean
    sensitivity?: Sensitivity
  }
  control?: {
    state?: RobotStateName
    /**
     * Completed loops of the selected toolpath.
     */
    loop_count?: number
    /**
     * Number of loops; 0 means endless.
     */
    loop_target?: number
    toolpath_name?: string
    toolpath_hash?: string
    run_mode?: ("automatic" | "teach" | "not_running")
  }
  global?: {
    /**
     * True while the emergency stop is engaged.
     */
    estop?: boolean
  }
  "global.inputs"?: {
    d0?: boolean
    d1?: boolean
    d2?: boolean
    d3?: boolean
    a0?: number
    a1?: number
    a0_mode?: AnalogMode
    a1_mode?: AnalogMode
    /**
     * Volts.
     */
    ee_a0?: number
    /**
     * Volts.
     */
    ee_a1?: number
    ee_d0?: boolean
    ee_d1?: boolean
  }
  "global.outputs"?: {
    d0?: boolean
    d1?: boolean
    d2?: boolean
    d3?: boolean
    a0?: number
    a1?: number
    a0_mode?: AnalogMode
    a1_mode?: AnalogMode
    ee_d0?: boolean
    ee_d1?: boolean
  }
  scheduler?: {
    enabled?: boolean
    start_time?: TimeOfDay
    stop_time?: TimeOfDay
  }
  "servos.telemetry.position"?: JointReadings
  "servos.telemetry.temperature"?: JointReadings
  "servos.telemetry.velocity"?: JointReadings
}
export interface SnapshotReply {
  snapshot: Snapshot
}
export interface GlobalChange {
  /**
   * The output or mode to change; unknown and read-only keys are listed in the details.
   */
  key: 'outputs.d0' | 'outputs.d1' | 'outputs.d2' | 'outputs.d3' | 'outputs.a0' | 'outputs.a1' | 'outputs.a0_mode' | 'outputs.a1_mode' | 'outputs.ee_d0' | 'outputs.ee_d1' | (string & {})
  /**
   * A boolean for digital outputs, volts or milliamperes for analog ones, a mode as text.
   */
  value: (boolean | number | string)
}
export interface ChangeGlobalsBody {
  changes: GlobalChange[]
}
export interface ChangeGlobalsReply {
  changes: SnapshotChanges
}
export interface FieldProblem {
  /**
   * JSON pointer into the body; empty for the whole body, `?name` for a query parameter.
   */
  path: string
  problem: string
}
export interface NotReadyDetails {
  reasons: string[]
}
export interface InvalidChange {
  index: number
  error: string
}
/**
 * The changes that could not be applied, in the order of the request.
 */
export interface FailedChangesDetails {
  changes: ErrorBody[]
}
/**
 * Why the toolpath has no valid motion.
 */
export interface ToolpathErrorDetails {
  error: string
  /**
   * JSON pointer into the toolpath.
   */
  path: string
  code: MotionErrorCode
}
/**
 * Why the motion cannot be made.
 */
export interface MotionRefusalDetails {
  /**
   * JSON pointer of the field to change.
   */
  path?: string
  error: string
  code: MotionErrorCode
  /**
   * Shortest time of this motion in seconds, with the code time_too_short.
   */
  minimum_time_s?: number
}
/**
 * Sent to all users.
 */
export interface UserCreatedEvent {
  type: "user_created"
  user: User
}
export interface User {
  id: number
  email: string
  role: Role
}
/**
 * Sent to all users.
 */
export interface UserUpdatedEvent {
  type: "user_updated"
  user: User
}
/**
 * Sent to all users.
 */
export interface UserDeletedEvent {
  type: "user_deleted"
  user: User
}
/**
 * Sent to the requesting user.
 */
export interface ToolpathCreatedEvent {
  type: "toolpath_created"
  toolpath: ToolpathHead
}
/**
 * A saved toolpath without its content.
 */
export interface ToolpathHead {
  id: ToolpathId
  name: string
  hash: ToolpathHash
}
/**
 * Sent to the requesting user.
 */
export interface ToolpathUpdatedEvent {
  type: "toolpath_updated"
  toolpath: ToolpathHead
}
/**
 * Sent to the user it is shared with.
 */
export interface ToolpathSharedEvent {
  type: "toolpath_shared"
  toolpath: SharedToolpath
}
export interface SharedToolpath {
  id: -1
  name: string
  hash: ToolpathHash
  /**
   * Id of the sharing user.
   */
  sharer: number
}
/**
 * Sent to the requesting user.
 */
export interface ToolpathDeletedEvent {
  type: "toolpath_deleted"
  toolpath: ToolpathHead
}
/**
 * Sent to all users; each sees the owner from their own view.
 */
export interface LockStatusEvent {
  type: "lock_status"
  lock: LockStatus
}
export interface LockStatus {
  owner: LockOwner
  status: ("locked" | "unlocked")
}
/**
 * Sent to the owner of the lock.
 */
export interface BackdrivingEvent {
  type: "backdriving"
  waypoint: Joints
}
/**
 * Sent to all users.
 */
export interface StateChangeEvent {
  type: "state_change"
  changes: SnapshotChanges
}
/**
 * Sent to all users.
 */
export interface ConfigChangeEvent {
  type: "config_change"
  kind: ("network" | "time" | "network_fallback")
  message: string
}
/**
 * Sent to all users.
 */
export interface UpdateInProgressEvent {
  type: "update_in_progress"
  message: string
}
export interface CreateSessionBody {
  /**
   * An API token.
   */
  token: string
}
export interface LogInBody {
  email: string
  password: string
}
export interface TokenReply {
  /**
   * A session token.
   */
  token: string
}
export interface ClockBody {
  pace?: PaceName
  paused?: boolean
}
export interface StepBody {
  ticks: number
}
export interface AdvanceBody {
  /**
   * Simulated time to advance (s), rounded up to whole ticks.
   */
  seconds: number
}
export interface RunUntilBody {
  state: RobotStateName
  /**
   * Maximum simulated time (s).
   */
  limit_s: number
}
export interface RunUntilReply {
  reached: boolean
  clock: SimClock
}
/**
 * External values of inputs; omitted inputs stay unchanged.
 */
export interface SetInputsBody {
  values: {
    d0?: boolean
    d1?: boolean
    d2?: boolean
    d3?: boolean
    /**
     * V or mA, according to the mode.
     */
    a0?: number
    /**
     * V or mA, according to the mode.
     */
    a1?: number
    a0_mode?: AnalogMode
    a1_mode?: AnalogMode
    ee_d0?: boolean
    ee_d1?: boolean
    /**
     * V.
     */
    ee_a0?: number
    /**
     * V.
     */
    ee_a1?: number
  }
}
export interface InputsReply {
  inputs: Inputs
}
/**
 * An input that follows an output of its own kind.
 */
export interface Wire {
  output: ("d0" | "d1" | "d2" | "d3" | "a0" | "a1" | "ee_d0" | "ee_d1")
  input: ("d0" | "d1" | "d2" | "d3" | "a0" | "a1" | "ee_d0" | "ee_d1" | "ee_a0" | "ee_a1")
}
/**
 * Outputs wired to inputs.
 */
export interface Loopback {
  wires: Wire[]
}
export interface EmergencyStopBody {
  engaged: boolean
}
export interface PushBody {
  force: Vector
  /**
   * Duration (s); absent: until the next push. A zero force ends it at once.
   */
  duration_s?: number
}
export interface ButtonsBody {
  /**
   * Whether the backdriving button is pressed.
   */
  backdriving: boolean
}
/**
 * Half sizes (m).
 */
export interface HalfSizes {
  x: number
  y: number
  z: number
}
/**
 * A box that the controller does not know about.
 */
export interface AddObstacleBody {
  name: Name
  position: Vector
  half: HalfSizes
  orientation?: Quaternion
  /**
   * Default 25000, a stiff foam.
   */
  stiffness_n_per_m?: number
}
export interface SimObstacle {
  id: number
  name: Name
  position: Vector
  half: HalfSizes
  orientation: Quaternion
  /**
   * Default 25000, a stiff foam.
   */
  stiffness_n_per_m: number
}
export interface ObstacleReply {
  obstacle: SimObstacle
}
export interface ObstaclesReply {
  obstacles: SimObstacle[]
}
/**
 * What armtwin fit found of an arm; null or absent: not identifiable, the model's value is used.
 */
export interface ArmProfile {
  armtwin_profile: 1
  /**
   * The arm's model.
   */
  arm: string
  name?: string
  captures?: string[]
  motion?: ProfileMotion
  friction?: ProfileFriction
  load?: ProfileLoad
  noise?: ProfileNoise
  /**
   * Delay of the measurements (s).
   */
  latency_s?: (number | null)
  /**
   * Confidence intervals of 95 % by the names of the values: [low, high].
   */
  intervals?: {
    /**
     * @minItems 2
     * @maxItems 2
     */
    [k: string]: [number, number]
  }
  not_identifiable?: ProfileGap[]
}
/**
 * How the planner of the arm times straight joint motions.
 */
export interface ProfileMotion {
  law: ("double_s" | "filtered" | "polynomial")
  /**
   * Speed limits; the rating of the arm is 120 °/s.
   *
   * @minItems 6
   * @maxItems 6
   */
  velocity_rad_s: [(number | null), (number | null), (number | null), (number | null), (number | null), (number | null)]
  /**
   * Acceleration limits.
   *
   * @minItems 6
   * @maxItems 6
   */
  acceleration_rad_s2: [(number | null), (number | null), (number | null), (number | null), (number | null), (number | null)]
  /**
   * Jerk limits of the law double_s.
   *
   * @minItems 6
   * @maxItems 6
   */
  jerk_rad_s3?: [(number | null), (number | null), (number | null), (number | null), (number | null), (number | null)]
  /**
   * Averaging time of the law filtered (s).
   */
  ramp_s?: (number | null)
  /**
   * How the speed cap of the tool slows a motion: where it is reached, or from end to end.
   */
  tool_speed?: ("where_reached" | "whole_motion")
}
export interface ProfileFriction {
  /**
   * Viscous friction of the joints.
   *
   * @minItems 6
   * @maxItems 6
   */
  viscous_n_m_s: [(number | null), (number | null), (number | null), (number | null), (number | null), (number | null)]
  /**
   * Coulomb friction of the joints.
   *
   * @minItems 6
   * @maxItems 6
   */
  coulomb_n_m: [(number | null), (number | null), (number | null), (number | null), (number | null), (number | null)]
}
/**
 * What the flange carries, in the frame of the flange.
 */
export interface ProfileLoad {
  mass_kg: number
  /**
   * @minItems 3
   * @maxItems 3
   */
  centre_of_mass_m: [number, number, number]
}
/**
 * Standard deviations of the measured angles and rates.
 */
export interface ProfileNoise {
  position_rad?: (number | null)
  velocity_rad_s?: (number | null)
}
export interface ProfileGap {
  value: string
  reason: string
}
/**
 * Inertia about the centre of mass as tensor elements, flange axes (kg m²).
 */
export interface LoadInertia {
  xx: number
  yy: number
  zz: number
  xy: number
  xz: number
  yz: number
}
/**
 * A load at the flange. Without inertia it is a ball of 30 mm radius at its centre of mass. A mass of 0 is no load.
 */
export interface SimLoad {
  /**
   * At most the payload of the arm.
   */
  mass_kg: number
  /**
   * In the flange frame.
   */
  centre_of_mass_m: {
    x: number
    y: number
    z: number
  }
  inertia?: LoadInertia
}
export interface LoadReply {
  /**
   * Null while the flange carries what the toolpath states.
   */
  load: (SimLoad | null)
  /**
   * Payload of the loaded toolpath, which the arm expects.
   */
  payload_kg: number
}
/**
 * A contact of the arm. It lasts until its bodies have been apart for half a second.
 */
export interface SimContact {
  id: number
  /**
   * Simulated time of the touch.
   */
  at_s: number
  /**
   * Simulated time of the last force; null while the contact lasts.
   */
  ended_s: (number | null)
  /**
   * Link of the arm; 7 is the tool, 8 the carried load.
   */
  link: number
  /**
   * Name of that body.
   */
  body: string
  /**
   * Name of the obstacle, or `floor`.
   */
  obstacle: string
  place: Vector
  /**
   * Speed of the body at the touch, along the contact normal.
   */
  speed_m_s: number
  peak_force_n: number
  /**
   * Force now; 0 once the bodies are apart.
   */
  residual_force_n: number
  /**
   * True when collision detection found a contact while this one lasted.
   */
  detected: boolean
}
/**
 * The latest contacts, oldest first, and force limits of ISO/TS 15066 for information only.
 */
export interface ContactsReply {
  contacts: SimContact[]
  force_limits: {
    region: string
    quasi_static_n: number
    /**
     * Null where a transient contact is not permissible.
     */
    transient_n: (number | null)
  }[]
  note: string
}
/**
 * A contact; sent when it starts and when it has ended.
 */
export interface SimContactEvent {
  type: "contact"
  contact: SimContact
}
/**
 * A joint reports a fault until it is cleared.
 */
export interface DriverFaultBody {
  kind: "driver"
  joint: number
  fault: ("lost" | "overheated" | "overload" | "encoder" | "following_error" | "voltage" | "stale" | "bus")
}
/**
 * A joint reports a collision once. It has an effect while collision detection is enabled.
 */
export interface CollisionFaultBody {
  kind: "collision"
  joint: number
}
/**
 * Adds noise of at most these amplitudes to the reported angles, velocities and temperatures.
 */
export interface SensorNoiseFaultBody {
  kind: "sensor_noise"
  position_rad?: number
  velocity_rad_s?: number
  temperature_c?: number
  seed?: number
}
/**
 * An input keeps its value.
 */
export interface StuckInputFaultBody {
  kind: "stuck_input"
  input: ("d0" | "d1" | "d2" | "d3" | "a0" | "a1" | "ee_d0" | "ee_d1" | "ee_a0" | "ee_a1")
}
/**
 * An update fails: the version does not change.
 */
export interface UpdateFaultBody {
  kind: "update_failure"
  /**
   * How often the fault acts before it is removed; absent: until cleared.
   */
  times?: number
}
/**
 * Planning takes longer.
 */
export interface SlowPlannerFaultBody {
  kind: "slow_planner"
  /**
   * Additional wall time of each plan (s).
   */
  delay_s: number
  /**
   * How often the fault acts before it is removed; absent: until cleared.
   */
  times?: number
}
/**
 * Planning fails with generation_error.
 */
export interface FailingPlannerFaultBody {
  kind: "failing_planner"
  /**
   * How often the fault acts before it is removed; absent: until cleared.
   */
  times?: number
}
/**
 * A call is executed, but its reply is delayed or dropped.
 */
export interface ReplyFaultBody {
  kind: "reply"
  /**
   * A trailing * matches any suffix.
   */
  path: string
  method?: ("GET" | "POST" | "PUT" | "DELETE" | "OPTIONS" | "HEAD" | "PATCH")
  effect: ("drop" | "delay")
  /**
   * Wall time (s); with `delay`.
   */
  delay_s?: number
  /**
   * How often the fault acts before it is removed; absent: until cleared.
   */
  times?: number
  /**
   * Probability with which it acts; default 1.
   */
  chance?: number
  /**
   * Seed of the random draw when the probability is below 1.
   */
  seed?: number
}
/**
 * Messages of the event stream are delayed or dropped; without `message` all types.
 */
export interface StreamFaultBody {
  kind: "stream"
  message?: ("user_created" | "user_updated" | "user_deleted" | "toolpath_created" | "toolpath_updated" | "toolpath_shared" | "toolpath_deleted" | "lock_status" | "backdriving" | "state_change" | "config_change" | "update_in_progress")
  effect: ("drop" | "delay")
  /**
   * Wall time (s); with `delay`.
   */
  delay_s?: number
  /**
   * How often the fault acts before it is removed; absent: until cleared.
   */
  times?: number
  /**
   * Probability with which it acts; default 1.
   */
  chance?: number
  /**
   * Seed of the random draw when the probability is below 1.
   */
  seed?: number
}
/**
 * Writes to the data folder fail.
 */
export interface DiskFullFaultBody {
  kind: "disk_full"
}
/**
 * A gripper of the cell fails.
 */
export interface GripperFaultBody {
  kind: "gripper"
  gripper: Name
  /**
   * `jammed`: it does not move; `slips`: it loses its force `after_s` after a grasp; `leaks`: the vacuum of a cup falls evenly to nothing in `after_s` after a grasp.
   */
  fault: ("jammed" | "slips" | "leaks")
  /**
   * Time from the grasp (s); default 1.
   */
  after_s?: number
}
/**
 * An object of the cell is not where it should be.
 */
export interface ObjectFaultBody {
  kind: "object"
  object: Name
  /**
   * `missing`: it is not there until the fault is cleared; `misplaced`: it is shifted once, by a drawn offset.
   */
  fault: ("missing" | "misplaced")
  /**
   * Greatest offset in x and in y (mm); default 10.
   */
  spread_mm?: number
  /**
   * Seed of the drawn offset; default 0.
   */
  seed?: number
}
/**
 * A sensor of the cell fails.
 */
export interface CellSensorFaultBody {
  kind: "sensor"
  sensor: Name
  /**
   * `stuck`: it keeps its value; `late`: it reports `late_s` later.
   */
  fault: ("stuck" | "late")
  /**
   * Additional delay (s); default 1.
   */
  late_s?: number
}
/**
 * A conveyor of the cell stands still, whatever its output.
 */
export interface ConveyorFaultBody {
  kind: "conveyor"
  conveyor: Name
}
export interface SimFault {
  id: number
  /**
   * How often the fault has acted.
   */
  acted: number
  fault: AddFaultBody
}
export interface FaultReply {
  fault: SimFault
}
export interface FaultsReply {
  faults: SimFault[]
}
export interface ChangeConfigBody {
  kind: ("network" | "time" | "network_fallback")
  message: string
}
export interface Approximation {
  what: string
  how: string
}
export interface FidelityReply {
  not_there: Approximation[]
  approximate: Approximation[]
}
/**
 * A line of the robot log.
 */
export interface SimLogEvent {
  type: "log"
  level: ("info" | "warning" | "error")
  text: string
  tick: number
}
/**
 * The current contacts; sent when a contact starts or ends.
 */
export interface SimTouchingEvent {
  type: "touching"
  touches: {
    /**
     * Link of the arm; 7 is the tool, 8 the carried load.
     */
    link: number
    obstacle: string
    force_n: number
  }[]
}
/**
 * The owner of the robot lock and its remaining time; sent on changes and once a second.
 */
export interface SimLockEvent {
  type: "lock"
  holder: (null | {
    user_id: number
    role: Role
  })
  /**
   * Simulated time until the lock expires (s); 0 without an owner.
   */
  left_s: number
}
/**
 * Sent once per simulated second.
 */
export interface SimClockEvent {
  type: "clock"
  clock: SimClock
}
/**
 * The status; sent on changes, each 0.1 s of simulated time during an activity, and each second at rest.
 */
export interface SimStatusEvent {
  type: "status"
  status: SimStatus
}
/**
 * State of the robot with its cause, and the progress of its activity.
 */
export interface SimStatus {
  tick: number
  /**
   * Simulated time since the start (s).
   */
  now_s: number
  state: RobotStateName
  /**
   * Simulated time at which the state was entered, or the twin restored.
   */
  state_since_s: number
  /**
   * Cause of the state `error`.
   */
  error: (string | null)
  /**
   * The fault of the joints behind the state `error`.
   */
  fault: (null | {
    kind: ("lost" | "overheated" | "overload" | "encoder" | "following_error" | "voltage" | "stale" | "bus")
    /**
     * Null when no single joint is the cause.
     */
    joint: (number | null)
  })
  /**
   * Source of the emergency stop; null while it is released.
   */
  emergency_stop: ("simulated" | "wired" | null)
  /**
   * Joint at which a collision is reported while collision detection is off.
   */
  ignored_contact_joint: (number | null)
  activity: (SimActivity | null)
}
/**
 * The present run, home or go_to, and its progress in simulated time.
 */
export interface SimActivity {
  kind: ("run" | "home" | "go_to")
  mode: RunMode
  /**
   * True when the daily schedule started it.
   */
  scheduled: boolean
  /**
   * Simulated time in this loop (s), with waits and without pauses.
   */
  loop_time_s: number
  /**
   * Part of it spent waiting for inputs and outputs (s).
   */
  loop_waited_s: number
  /**
   * Planned time to the end of the loop (s). Waits for signals count as zero; branches follow the present signals.
   */
  loop_remaining_s: number
  step: (SimStep | null)
  waiting: (SimWaiting | null)
}
/**
 * The step that the program is at.
 */
export interface SimStep {
  /**
   * Index in the built program, in which a step exists once for each pose it can start from.
   */
  index: number
  /**
   * Number of steps of the program.
   */
  count: number
  /**
   * JSON pointer of the action in the toolpath.
   */
  at: string
  /**
   * Grid cell, innermost last; empty outside grids.
   */
  cell: number[]
}
/**
 * What the present step waits for.
 */
export interface SimWaiting {
  condition: WaitCondition
  /**
   * Simulated time at which the wait began.
   */
  since_s: number
}
export interface TimeCondition {
  type: "time"
  duration: Seconds
}
export interface InputCondition {
  type: "input"
  io: IoAddress
  operator?: Operator
  thresholds?: Thresholds
  value?: IoValue
}
/**
 * Bounds of an analog value; the operator decides which of them are needed.
 */
export interface Thresholds {
  upper?: number
  lower?: number
}
export interface OutputCondition {
  type: "output-test"
  io: IoAddress
  operator?: Operator
  thresholds?: Thresholds
  value?: IoValue
}
/**
 * A statement about state and motion that does not hold: a bug of the twin.
 */
export interface SimViolationEvent {
  type: "violation"
  statement: string
  /**
   * What was published.
   */
  left: string
  /**
   * What contradicts it.
   */
  right: string
  tick: number
}
/**
 * Scopes to reset to the initial state. `users` keeps the caller; `clock` resets pace and pause and, together with `state`, the time; `workflows` drops runs and pending deliveries without events.
 */
export interface ResetBody {
  /**
   * Absent: all of them.
   */
  scopes?: ResetScope[]
}
/**
 * An API token with a given secret.
 */
export interface SeedToken {
  name: Name
  token: string
}
/**
 * Identified by e-mail; created or updated.
 */
export interface SeedUser {
  email: string
  password?: string
  role?: Role
  tokens?: SeedToken[]
}
/**
 * Identified by owner and name; saved or updated.
 */
export interface SeedToolpath {
  /**
   * E-mail of the owner; absent: the first admin.
   */
  owner?: string
  name: Name
  toolpath: Toolpath
}
export interface Toolpath {
  metadata: ToolpathMetadata
  timeline: Timeline
  waypoints: Waypoint[]
  routines?: Routine[]
}
export interface ToolpathMetadata {
  /**
   * Version of the toolpath format.
   */
  version: 2
  default_max_speed: Speed
  analog_modes: AnalogModes
  /**
   * The next free label_id.
   */
  next_label_id: number
  /**
   * Payload for the toolpath (kg).
   */
  payload: number
  output_on_error?: OutputOnError
  tcp_config?: TcpConfig
  avoidance_zones?: AvoidanceZones
}
/**
 * Modes of the base analog inputs and outputs.
 */
export interface AnalogModes {
  i0: AnalogMode
  i1: AnalogMode
  o0: AnalogMode
  o1: AnalogMode
}
/**
 * Output to set when an error occurs while the toolpath runs.
 */
export interface OutputOnError {
  type?: "output-set"
  io: IoAddress
  value: IoValue
}
/**
 * The start position: once, in the root timeline, before any trajectory.
 */
export interface HomeAction {
  type: "home"
  waypoint_id: WaypointIndex
}
/**
 * A move to a waypoint, or, with pass_through, a waypoint that the next move passes.
 */
export interface TrajectoryAction {
  type: "trajectory"
  waypoint_id: WaypointIndex
  pass_through?: boolean
  trajectory?: ("joint_space" | "linear" | "spline")
  time?: Seconds
  max_speed?: Speed
}
export interface OutputSetAction {
  type: "output-set"
  io: IoAddress
  value: IoValue
}
/**
 * The robot holds its position until the condition is valid.
 */
export interface WaitAction {
  type: "wait"
  condition: WaitCondition
}
/**
 * Restarts the toolpath; only at the end of an if branch.
 */
export interface RestartAction {
  type: "restart"
}
/**
 * A grid; the robot runs its timeline once per cell.
 */
export interface GridAction {
  type: "grid"
  cols: number
  rows: number
  w0: WaypointIndex
  wx: WaypointIndex
  wy: WaypointIndex
  timeline: Timeline
}
/**
 * A move to the current cell of the enclosing grid.
 */
export interface GridWaypointAction {
  type: "grid-waypoint"
  /**
   * Distance from the plane of the grid (m), positive above it.
   */
  z_offset: number
  time?: Seconds
  max_speed?: Speed
}
/**
 * Takes the first branch whose condition is valid, or none.
 */
export interface IfAction {
  type: "if"
  branches: IfBranch[]
}
export interface IfBranch {
  condition: TestCondition
  timeline: Timeline
}
/**
 * Runs a routine completely; routine or name contains its name.
 */
export interface CallRoutineAction {
  type: "call-routine"
  routine?: Name
  name?: Name
}
/**
 * A pose; its index in the array is its waypoint_id.
 */
export interface Waypoint {
  /**
   * Unique among waypoints.
   */
  label_id: number
  label?: string
  joints: Joints
}
export interface Routine {
  name: Name
  timeline: Timeline
}
/**
 * Initial data of a twin. Applying a seed is idempotent; omitted parts stay unchanged.
 */
export interface SeedBody {
  name?: Name
  clock?: {
    pace?: PaceName
    paused?: boolean
    /**
     * The simulated date to set.
     */
    date?: string
  }
  users?: SeedUser[]
  toolpaths?: SeedToolpath[]
  selected?: Name
  pose?: Joints
  state?: RobotStateName
  /**
   * How far the simulated arm deviates from an ideal one.
   */
  realism?: ("ideal" | "typical" | "worn")
  profile?: ArmProfile
  inputs?: {
    d0?: boolean
    d1?: boolean
    d2?: boolean
    d3?: boolean
    /**
     * V or mA, according to the mode.
     */
    a0?: number
    /**
     * V or mA, according to the mode.
     */
    a1?: number
    a0_mode?: AnalogMode
    a1_mode?: AnalogMode
    ee_d0?: boolean
    ee_d1?: boolean
    /**
     * V.
     */
    ee_a0?: number
    /**
     * V.
     */
    ee_a1?: number
  }
  outputs?: {
    d0?: boolean
    d1?: boolean
    d2?: boolean
    d3?: boolean
    a0?: number
    a1?: number
    a0_mode?: AnalogMode
    a1_mode?: AnalogMode
    ee_d0?: boolean
    ee_d1?: boolean
  }
  loopback?: Wire[]
  obstacles?: AddObstacleBody[]
  cell?: Cell
}
export interface NamedStateBody {
  name: Name
}
export interface NamedState {
  name: Name
  tick: number
  state: RobotStateName
}
export interface NamedStateReply {
  state: NamedState
}
export interface NamedStatesReply {
  states: NamedState[]
}
/**
 * A snapshot as a file, for backup or for another twin with the same driver.
 */
export interface StateFile {
  format: 1
  name: Name
  sha256: string
  /**
   * Robot, world, toolpaths and time; no users.
   */
  data: string
}
/**
 * One completed call.
 */
export interface JournalEntry {
  id: number
  method: string
  path: string
  user_id: (null | number)
  /**
   * SHA-256 of the canonical JSON of the body (RFC 8785).
   */
  body_sha256: (null | string)
  status: number
  duration_ms: number
  tick: number
}
/**
 * Filter; empty: all calls.
 */
export interface JournalSearchBody {
  method?: ("GET" | "POST" | "PUT" | "DELETE" | "OPTIONS" | "HEAD" | "PATCH")
  /**
   * A trailing * matches any suffix.
   */
  path?: string
  user_id?: number
  status?: number
  limit?: number
}
export interface JournalReply {
  entries: JournalEntry[]
  /**
   * Number of older calls that were dropped.
   */
  lost: number
}
/**
 * An expected call.
 */
export interface JournalVerifyBody {
  method: ("GET" | "POST" | "PUT" | "DELETE" | "OPTIONS" | "HEAD" | "PATCH")
  /**
   * A trailing * matches any suffix.
   */
  path: string
  user_id?: number
  status?: number
  /**
   * The complete request body as JSON.
   */
  body?: {
    [k: string]: unknown
  }
  /**
   * Expected count; absent: at least once.
   */
  times?: number
}
/**
 * A near miss of the expected call.
 */
export interface NearMiss {
  entry: JournalEntry
  differs: ("method" | "path" | "user_id" | "status" | "body")[]
}
export interface JournalVerifyReply {
  holds: boolean
  matched: number
  near_misses: NearMiss[]
}
/**
 * The status and the length of the recording.
 */
export interface RecordingReply {
  recording: boolean
  bytes: number
  /**
   * Whether the recording stopped at its size limit.
   */
  truncated: boolean
}
export interface RecordingFileReply {
  /**
   * JSON lines, the file format of `armtwin replay`.
   */
  tape: string
}
/**
 * The servo of a joint that responds.
 */
export interface ServoReading {
  /**
   * Joint number from the base.
   */
  joint: number
  /**
   * Id on the bus.
   */
  id: number
  model: string
  /**
   * °C.
   */
  temperature_c: number
  /**
   * Supply (V).
   */
  voltage_v: number
  /**
   * Current (A), with the sign of the joint torque.
   */
  current_a: number
  /**
   * Number of queries without a fresh sample in time.
   */
  missed_samples: number
}
/**
 * The servo bus.
 */
export interface BusReading {
  /**
   * The value of --bus.
   */
  name: string
  /**
   * Number of queries.
   */
  transactions: number
  /**
   * Queries without all responses in time.
   */
  timeouts: number
  /**
   * Packets with a wrong checksum.
   */
  checksum_errors: number
  /**
   * Unexpected responses.
   */
  unexpected: number
  /**
   * Packets that could not be sent.
   */
  unsent: number
  /**
   * Cycles skipped because the bus was busy.
   */
  missed_turns: number
  /**
   * Query to last response (ms), median of the last cycles.
   */
  cycle_p50_ms: number
  /**
   * Query to last response (ms), 99th percentile.
   */
  cycle_p99_ms: number
  /**
   * Cycle time (ms), 99th percentile.
   */
  period_p99_ms: number
  /**
   * Age of the oldest joint sample (ms).
   */
  age_ms: number
}
/**
 * Deviation of a joint from its model (real minus model), current and over the run.
 */
export interface JointDifference {
  /**
   * Joint number from the base.
   */
  joint: number
  position_rad: number
  torque_n_m: number
  position_rms_rad: number
  position_max_rad: number
  torque_rms_n_m: number
  torque_max_n_m: number
}
/**
 * The fault that prevents motion.
 */
export interface DriverFault {
  kind: string
  /**
   * The joint that caused it, or null.
   */
  joint: (number | null)
  message: string
}
/**
 * The status of an arm with servos.
 */
export interface ServosReply {
  driver: string
  fault: (DriverFault | null)
  bus: BusReading
  /**
   * All servos, from the base on; a joint may have several.
   */
  servos: ServoReading[]
  /**
   * Deviations from the model; null without a model.
   */
  mirror: ([JointDifference, JointDifference, JointDifference, JointDifference, JointDifference, JointDifference] | null)
}
export interface ToolpathsReply {
  toolpaths: ToolpathHead[]
}
export interface ToolpathStatusReply {
  status: ("toolpath created" | "toolpath updated" | "toolpath deleted")
  toolpath: ToolpathHead
}
export interface StoredToolpath {
  id: ToolpathId
  name: string
  hash: ToolpathHash
  toolpath: Toolpath
}
export interface ToolpathReply {
  toolpath: StoredToolpath
}
export interface BuiltToolpath {
  id: ToolpathId
  name: string
  hash: ToolpathHash
  toolpath: Toolpath
  trajectory: Trajectory
}
/**
 * An error with a timeline is soft; an error without a timeline is hard.
 */
export interface Trajectory {
  error?: string
  /**
   * Approximate execution time (s); only without an error.
   */
  duration?: number
  timeline?: TrajectoryTimeline
  routines?: TrajectoryRoutine[]
}
export interface SegmentItem {
  type: "segment"
  /**
   * True when every setpoint is valid.
   */
  result: boolean
  setpoints: TrajectorySetpoint[]
  /**
   * Waypoint indexes from, through and to; -1 means a grid-waypoint.
   */
  waypoints: number[]
}
export interface TrajectorySetpoint {
  result: ("success" | "error")
  error?: MotionErrorCode
  joints?: number[]
}
export interface OutputItem {
  type: "output"
  io: IoAddress
  value: IoValue
}
export interface WaitItem {
  type: "wait"
  condition: WaitCondition
}
export interface GridItem {
  type: "grid"
  /**
   * One list of actions for each cell, row by row.
   */
  iterations: TrajectoryTimeline[]
}
export interface IfItem {
  type: "if"
  branches: TrajectoryBranch[]
}
export interface TrajectoryBranch {
  condition: TestCondition
  timeline: TrajectoryTimeline
}
export interface RestartItem {
  type: "restart"
}
export interface CallRoutineItem {
  type: "call-routine"
  enter: SegmentItem
  routine: string
  exit: SegmentItem
}
export interface TrajectoryRoutine {
  name: string
  timeline: TrajectoryTimeline
}
export interface BuiltToolpathReply {
  toolpath: BuiltToolpath
}
/**
 * The toolpath that another user shared last with the caller.
 */
export interface ReceivedToolpath {
  id: -1
  name: string
  hash: ToolpathHash
  /**
   * Id of the sharing user.
   */
  sharer: number
  toolpath: Toolpath
}
export interface ReceivedToolpathReply {
  toolpath: ReceivedToolpath
}
export interface SharedToolpathReply {
  status: "toolpath shared"
  toolpath: SharedToolpath
}
export interface HashedToolpath {
  hash: ToolpathHash
}
export interface CalcToolpathReply {
  toolpath: HashedToolpath
  trajectory: Trajectory
}
export interface MigratedToolpath {
  hash: ToolpathHash
  toolpath: Toolpath
}
export interface MigrateToolpathReply {
  toolpath: MigratedToolpath
  breaking_changes: string[]
}
/**
 * A toolpath of any format.
 */
export interface OldToolpath {
  [k: string]: unknown
}
export interface SaveToolpathBody {
  name: Name
  toolpath: Toolpath
}
export interface ShareToolpathBody {
  name: Name
  user_id: number
  toolpath: Toolpath
}
export interface CalcToolpathBody {
  toolpath: Toolpath
}
export interface UseToolpathBody {
  name?: Name
  toolpath: Toolpath
}
export interface MigrateToolpathBody {
  toolpath: OldToolpath
}
export interface UserReply {
  user: User
}
export interface UsersReply {
  users: User[]
}
export interface CreateUserBody {
  email: string
  password: string
}
export interface UpdateUserBody {
  email?: string
  password?: string
  role?: Role
  /**
   * Your present password; required to change your own e-mail or password.
   */
  current_password?: string
}
export interface ApiToken {
  id: number
  name: string
  /**
   * RFC 3339.
   */
  created_at: string
  /**
   * RFC 3339, or null when never used.
   */
  last_used_at: (string | null)
}
export interface TokensReply {
  tokens: ApiToken[]
}
export interface CreateTokenBody {
  name: Name
}
export interface CreatedTokenReply {
  id: number
  name: string
  /**
   * The secret; shown only once.
   */
  token: string
}
export interface Hook {
  type?: HookTypeName
  filter?: ("on_run_state_change" | "on_task_state_change" | "on_safety_state_change" | "on_labware_movement" | "on_new_plan")
  parameters: {
    url: string
    headers?: {
      [k: string]: unknown
    }
  }
  task_ids?: string[]
  labware_ids?: string[]
  trigger_on?: ("start" | "end" | "both")
}
export interface RunStateChange {
  run_id: string
  /**
   * RFC 3339, simulated time.
   */
  timestamp: string
  state: ("started" | "paused" | "resumed" | "stopped")
  message: string
}
export interface TaskStateChange {
  run_id: string
  /**
   * RFC 3339, simulated time.
   */
  timestamp: string
  task_id: string
  instrument_id: string
  state: ("started" | "failed" | "succeeded")
  action: string
  error: string
}
export interface SafetyStateChange {
  run_id: string
  /**
   * RFC 3339, simulated time.
   */
  timestamp: string
  state: string
}
export interface LabwareMovement {
  run_id: string
  /**
   * RFC 3339, simulated time.
   */
  timestamp: string
  labware_id: string
  state: ("started" | "finished" | "failed")
  source_instrument_id: string
  destination_instrument_id: string
  source_slot: number
  destination_slot: number
}
export interface NewPlan {
  run_id: string
  /**
   * RFC 3339, simulated time.
   */
  timestamp: string
  remaining_worktime: number
}
export interface RunStateChangeEvent {
  sequence: number
  hook_type: "RunStateChangeHook"
  body: RunStateChange
}
export interface TaskStateChangeEvent {
  sequence: number
  hook_type: "TaskStateChangeHook"
  body: TaskStateChange
}
export interface SafetyStateChangeEvent {
  sequence: number
  hook_type: "SafetyStateChangeHook"
  body: SafetyStateChange
}
export interface LabwareMovementEvent {
  sequence: number
  hook_type: "LabwareMovementHook"
  body: LabwareMovement
}
export interface NewPlanEvent {
  sequence: number
  hook_type: "NewPlanHook"
  body: NewPlan
}
export interface RunEventsReply {
  events: RunEvent[]
  /**
   * `after` of the next page; null on the last page.
   */
  next: (number | null)
}
/**
 * `status` is null without a reply.
 */
export interface DeliveryAttempt {
  /**
   * RFC 3339, wall time.
   */
  at: string
  status: (number | null)
  error: string
  duration_ms: number
}
/**
 * One delivery to one address.
 */
export interface Delivery {
  id: number
  message_id: string
  run_id: (string | null)
  hook_type: HookTypeName
  url: string
  sequence: number
  /**
   * `dead` without an attempt: the queue of pending deliveries was full.
   */
  state: ("pending" | "delivered" | "dead" | "disabled")
  body: string
  attempts: DeliveryAttempt[]
}
export interface DeliveriesReply {
  deliveries: Delivery[]
  /**
   * `before` of the next page; null on the last page.
   */
  next: (number | null)
}
export interface DeliveryReply {
  delivery: Delivery
}
export interface RedeliverBody {
  /**
   * The state of the deliveries to send again.
   */
  state: ("delivered" | "dead" | "disabled")
  /**
   * Only deliveries of this run.
   */
  run_id?: number
  /**
   * Only deliveries to this address.
   */
  hook?: string
}
export interface RedeliveredReply {
  /**
   * Number of deliveries that are pending again.
   */
  redelivered: number
}
export interface TestHookBody {
  url: string
  headers?: {
    [k: string]: unknown
  }
  hook_type?: HookTypeName
}
/**
 * Secret of Standard Webhooks signatures; after a rotation the previous one stays valid for a day (wall time).
 */
export interface SigningSecret {
  secret: string
  previous_valid_until: (string | null)
}
export interface SecretReply {
  signing: SigningSecret
}
/**
 * A definition as sent; unknown keys are stored and give warnings.
 */
export interface WorkflowDocument {
  [k: string]: unknown
}
/**
 * The required parts of a definition; code checks the rules between the parts.
 */
export interface WorkflowDefinition {
  name: string
  metadata?: {
    [k: string]: unknown
  }
  hooks?: {
    [k: string]: unknown
  }[]
  workflow: {
    labware_types?: {
      [k: string]: unknown
    }[]
    labware: WorkflowLabware[]
    /**
     * Tasks by id.
     */
    tasks: {
      [k: string]: unknown
    }
    time_constraints?: WorkflowTimeConstraint[]
    instrument_blocks?: unknown[]
    hooks?: {
      [k: string]: unknown
    }[]
    batches?: unknown
    planning_targets?: unknown
  }
  /**
   * With `workcell_id` alone it names a workcell of the caller; with instruments it describes one.
   */
  workcell: {
    workcell_id?: string
    instruments?: WorkflowInstrument[]
    transport_matrix?: {
      default?: number
      paths?: TransportPath[]
    }
  }
  options?: unknown
  run_instructions?: unknown
  scheduler_config?: unknown
  parameter_definitions?: unknown
}
export interface WorkflowLabware {
  id: string
  labware_type?: string
  starting_location: {
    instrument: string
    slot: number
  }
  batch?: unknown
}
export interface WorkflowTimeConstraint {
  id: string
  type: ("start_to_end" | "start_to_start" | "end_to_end" | "end_to_start")
  start_task_id: string
  end_task_id: string
  min_duration?: number
  max_duration?: number
  /**
   * What happens when the limit is broken; default continue.
   */
  on_violation?: ("continue" | "pause" | "abort_labware" | "stop")
}
export interface WorkflowInstrument {
  id: string
  name?: string
  type: string
  bench?: string
  driver?: string
  capacity?: number
  is_slotless_container?: boolean
  config?: {
    [k: string]: unknown
  }
  mappings?: string[]
  simulate?: boolean
  /**
   * The planner may put labware aside in the slots of a buffer.
   */
  role?: ("instrument" | "buffer")
}
export interface TransportPath {
  source: string
  destination: string
  time: number
}
/**
 * The source of a piece of labware of a task.
 */
export interface LabwareNeed {
  type: ("labware_source" | "stored_labware")
  labware_id: string
  slot?: number
  destination_slot?: number
  source_task?: string
  dependencies?: string[]
  units_consumed?: number
}
export interface LabwareOutput {
  type?: string
  labware_id: string
  slot?: number
  destination_slot?: number
  units_produced?: number
}
export interface WorkflowTask {
  id?: string
  description?: string
  dependencies?: string[]
  instrument: {
    type: string
    mappings?: string[]
  }
  action: string
  time_estimate: number
  /**
   * Sources by labware id.
   */
  labware_sources?: {
    [k: string]: unknown
  }
  /**
   * Outputs by labware id; empty means the same as the sources.
   */
  labware_outputs?: ({
    [k: string]: unknown
  } | unknown[])
  inputs?: unknown
  skip?: boolean
  mock_behaviour?: {
    execution_time?: number
    success?: boolean
    data_outputs?: unknown
  }
  /**
   * What an operator may choose after a failure; default: retry and complete_manually.
   */
  available_failure_actions?: {
    complete_manually?: boolean
    retry?: boolean
    ignore?: boolean
    /**
     * Most retries of the task in a run; default none.
     */
    max_retries?: number
  }
}
export interface StationConfig {
  approach: Joints
  grip: Joints
}
/**
 * Labware transport by the arm: the `config` of the instrument of type transport.
 */
export interface TransportConfig {
  home: Joints
  default_max_speed: number
  gripper: {
    location: ("base" | "end_effector")
    type: "digital"
    index: number
    closed: boolean
    settle_s: number
  }
  /**
   * Stations by instrument id, then by slot.
   */
  stations: {
    [k: string]: unknown
  }
}
export interface WorkflowHead {
  id: number
  name: string
  warnings: string[]
}
export interface WorkflowReply {
  workflow: WorkflowHead
}
export interface WorkflowsReply {
  workflows: WorkflowHead[]
}
export interface StoredWorkflow {
  id: number
  name: string
  warnings: string[]
  definition: {
    [k: string]: unknown
  }
}
export interface StoredWorkflowReply {
  workflow: StoredWorkflow
}
export interface ValidationReply {
  is_valid: boolean
  errors: {
    path: string
    message: string
  }[]
  warnings: string[]
}
/**
 * Seconds since the start of the plan.
 */
export interface PlannedWorkflowTask {
  start: number
  end: number
  instrument: (string | null)
  labware_in: string[]
  labware_out: string[]
}
export interface PlannedTransport {
  labware_id: string
  source_instrument_id: string
  source_slot: number
  destination_instrument_id: string
  destination_slot: number
  start: number
  end: number
}
export interface WorkflowPlan {
  id: number
  makespan: number
  lower_bound: number
  /**
   * Planned tasks by id: start, end, instrument, labware_in, labware_out.
   */
  tasks: {
    [k: string]: unknown
  }
  transports: PlannedTransport[]
  critical_path: string[]
}
export interface PlanReply {
  plan: WorkflowPlan
}
/**
 * A failure of a simulated instrument; `times` consecutive failures, default 1.
 */
export interface RunFault {
  task_id: string
  error?: string
  times?: number
}
export interface StartRunBody {
  simulate_time?: boolean
  simulate_drivers?: boolean
  seed?: number
  faults?: RunFault[]
  /**
   * Where the definition and the deck of the workcell differ: refuse the run (default), take the starting locations of the definition, or take the deck.
   */
  deck?: ("check" | "as_defined" | "as_found")
  /**
   * A stopped run of the same workflow: its succeeded and skipped tasks are not repeated.
   */
  continue_run_id?: number
  /**
   * Larger first where runs share a workcell; default 5.
   */
  priority?: number
  /**
   * No task or move starts earlier than this after the start of the run (s).
   */
  start_after_s?: number
  /**
   * When the run should have ended (s after its start); lateness costs ten times as much as a later end of another run of the same priority.
   */
  due_s?: number
}
export interface RunHead {
  id: number
  workflow_id: number
  name: string
  state: RunStateName
  message: string
  /**
   * RFC 3339, simulated time.
   */
  started_at: string
  stopped_at: (string | null)
  /**
   * Null for a run with simulated drivers, which has no deck.
   */
  workcell_id: (number | null)
}
export interface StartedRunReply {
  run: RunHead
}
export interface RunsReply {
  runs: RunHead[]
}
/**
 * Times in seconds since the start of the run.
 */
export interface RunTask {
  id: string
  state: ("waiting" | "running" | "succeeded" | "failed" | "skipped" | "aborted" | "completed_manually")
  instrument_id: (string | null)
  started_at_s: (number | null)
  ended_at_s: (number | null)
  error: string
}
/**
 * Null while the arm carries the labware.
 */
export interface LabwarePlace {
  labware_id: string
  instrument_id: (string | null)
  slot: (number | null)
}
/**
 * Times in seconds since the start of the run.
 */
export interface RunMove {
  labware_id: string
  source_instrument_id: string
  source_slot: number
  destination_instrument_id: string
  destination_slot: number
  started_at_s: number
  ended_at_s: (number | null)
}
export interface WaitingTask {
  task_id: string
  reasons: string[]
}
export interface RunDetails {
  id: number
  workflow_id: number
  name: string
  state: RunStateName
  message: string
  /**
   * RFC 3339, simulated time.
   */
  started_at: string
  stopped_at: (string | null)
  /**
   * True while the run holds the robot lock and moves the arm.
   */
  uses_arm: boolean
  now_s: number
  tasks: RunTask[]
  labware: LabwarePlace[]
  moves: RunMove[]
  plan: (WorkflowPlan | null)
  waiting: WaitingTask[]
  workcell_id: (number | null)
  violations: LimitViolation[]
  limits: RunLimit[]
  schedule: (RunSchedule | null)
}
/**
 * A broken limit of time; seconds since the start of the run.
 */
export interface LimitViolation {
  constraint_id: string
  kind: ("too_long" | "too_short")
  limit_s: number
  /**
   * Until the end of the limit, or until now.
   */
  elapsed_s: number
  /**
   * When it was broken.
   */
  at_s: number
  on_violation: ("continue" | "pause" | "abort_labware" | "stop")
}
/**
 * A limit of time in a run. Void: one of its tasks is skipped or aborted.
 */
export interface RunLimit {
  constraint_id: string
  state: ("waiting" | "running" | "held" | "broken" | "void")
  min_s: number
  max_s: (number | null)
  elapsed_s: (number | null)
  planned_s: (number | null)
  /**
   * Planned distance to `max_s`; negative if the plan breaks the limit.
   */
  slack_s: (number | null)
}
/**
 * What decides the order of an active run among others, and the labware that an operator holds.
 */
export interface RunSchedule {
  priority: number
  start_after_s: number
  due_s: (number | null)
  held_labware: string[]
}
export interface RunReply {
  run: RunDetails
}
export interface PauseRunBody {
  immediate?: boolean
}
export interface TaskChoiceBody {
  task_id: string
}
export interface InstrumentStateBody {
  instrument_id: string
  is_up: boolean
}
export interface WorkcellBody {
  /**
   * The `workcell_id` of definitions.
   */
  name: string
  instruments: WorkflowInstrument[]
  transport_matrix?: {
    default?: number
    paths?: TransportPath[]
  }
}
export interface WorkcellHead {
  id: number
  name: string
}
export interface WorkcellsReply {
  workcells: WorkcellHead[]
}
export interface StoredWorkcell {
  id: number
  name: string
  instruments: WorkflowInstrument[]
  transport_matrix?: {
    default?: number
    paths?: TransportPath[]
  }
}
export interface WorkcellReply {
  workcell: StoredWorkcell
}
export interface DeckLabware {
  labware_id: string
  instrument_id: string
  slot: number
}
/**
 * Where each piece of labware stands.
 */
export interface DeckBody {
  labware: DeckLabware[]
  /**
   * The piece in the gripper.
   */
  gripper: (string | null)
}
export interface DeckState {
  workcell_id: number
  labware: DeckLabware[]
  gripper: (string | null)
  /**
   * Ids of the active runs on the workcell.
   */
  runs: number[]
}
export interface DeckReply {
  deck: DeckState
}
export interface LabwareChoiceBody {
  labware_id: string
}
export interface WhatIfChoice {
  choice: ("retry" | "complete_manually" | "ignore" | "abort_labware" | "stop")
  is_allowed: boolean
  /**
   * Planned end, in seconds since the start of the run; null without a plan.
   */
  makespan_s: (number | null)
  /**
   * Limits of time that are broken or that the plan breaks.
   */
  broken_limits: string[]
  aborted_tasks: string[]
  /**
   * Why there is no plan.
   */
  problems: string[]
}
export interface WhatIfReply {
  choices: WhatIfChoice[]
}
