// GENERATED from contract/schema by tools/generate.mjs; do not edit.
import type { MotionError } from './motion-errors.ts';


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
export type Name = string
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
export type Axis = ("x" | "y" | "z")
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
/**
 * Error code of a motion or a calculation (§2.4).
 */
export type MotionErrorCode = MotionError
/**
 * @minItems 6
 * @maxItems 6
 */
export type JointReadings = [number, number, number, number, number, number]
export type RobotStateName = ("ready" | "error" | "running" | "paused" | "stopping" | "backdriving" | "updating" | "disabled" | "shutting_down" | "collision")
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
/**
 * The owner of the lock, from the view of the reader.
 */
export type LockOwner = ("you" | "admin" | "user" | "none")
/**
 * Simulated seconds per wall second, `max` or `stepped`.
 */
export type PaceName = (number | ("max" | "stepped"))
/**
 * The fault to inject.
 */
export type AddFaultBody = (DriverFaultBody | CollisionFaultBody | SensorNoiseFaultBody | StuckInputFaultBody | UpdateFaultBody | SlowPlannerFaultBody | FailingPlannerFaultBody | ReplyFaultBody | StreamFaultBody | ConnectionFaultBody | DiskFullFaultBody | GripperFaultBody | ObjectFaultBody | CellSensorFaultBody | ConveyorFaultBody)
/**
 * The name of a situation.
 */
export type SituationName = ("network_slow" | "network_cut" | "gripper_jams" | "person_in_the_cell" | "drive_fails" | "drive_overheats" | "emergency_stop" | "lock_stolen" | "planner_slow" | "disk_full")
/**
 * One message of the stream of simulation events.
 */
export type SimEvent = (SimLogEvent | SimTouchingEvent | SimContactEvent | SimLockEvent | SimClockEvent | SimStatusEvent | SimViolationEvent | SimCellEvent | SimCellStateEvent | SimCellCheckEvent | SimCellHappenedEvent)
export type ResetScope = ("state" | "toolpaths" | "users" | "clock" | "faults" | "obstacles" | "recording" | "workflows")
/**
 * How it ended, or `running`.
 */
export type RobotRunOutcome = ("running" | "finished" | "cancelled" | "error" | "collision" | "disabled")
export type Action = (HomeAction | TrajectoryAction | OutputSetAction | WaitAction | RestartAction | GridAction | GridWaypointAction | IfAction | CallRoutineAction)
export type Timeline = Action[]
/**
 * Index into waypoints.
 */
export type WaypointIndex = number
export type WaitCondition = (TimeCondition | InputCondition | OutputCondition)
export type TestCondition = (InputCondition | OutputCondition)
export type Operator = ("equal" | "below" | "above" | "inside" | "outside")
export type ToolpathId = number
/**
 * SHA-256 in hexadecimal of the canonical JSON of the toolpath.
 */
export type ToolpathHash = string
export type TrajectoryItem = (SegmentItem | OutputItem | WaitItem | GridItem | IfItem | RestartItem | CallRoutineItem)
export type TrajectoryTimeline = TrajectoryItem[]
export type HookTypeName = ("RunStateChangeHook" | "TaskStateChangeHook" | "SafetyStateChangeHook" | "LabwareMovementHook" | "NewPlanHook")
/**
 * A hook that names its type.
 */
export type TypedHook = (RunStateChangeHook | TaskStateChangeHook | SafetyStateChangeHook | LabwareMovementHook | NewPlanHook)
/**
 * A hook of a definition, best with its `type`.
 */
export type DeclaredHook = (TypedHook | Hook)
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
  CellPathCheck: CellPathCheck
  CellCheckReply: CellCheckReply
  CellReply: CellReply
  CellObjectReply: CellObjectReply
  CellEventsReply: CellEventsReply
  MoveObjectBody: MoveObjectBody
  CellControlBody: CellControlBody
  ObjectUntilBody: ObjectUntilBody
  ObjectUntilReply: ObjectUntilReply
  SimCellEvent: SimCellEvent
  SimCellStateEvent: SimCellStateEvent
  SimCellCheckEvent: SimCellCheckEvent
  SimCellHappenedEvent: SimCellHappenedEvent
  RehearsalExpectations: RehearsalExpectations
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
  SituationName: SituationName
  SituationBody: SituationBody
  Situation: Situation
  SituationReply: SituationReply
  SituationsReply: SituationsReply
  ChangeConfigBody: ChangeConfigBody
  Approximation: Approximation
  JointRange: JointRange
  FidelityReply: FidelityReply
  SimEvent: SimEvent
  SimWaiting: SimWaiting
  SimStep: SimStep
  SimActivity: SimActivity
  SimStatus: SimStatus
  SimStop: SimStop
  SimReaction: SimReaction
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
  ConnectionFaultBody: ConnectionFaultBody
  DiskFullFaultBody: DiskFullFaultBody
  GripperFaultBody: GripperFaultBody
  ObjectFaultBody: ObjectFaultBody
  CellSensorFaultBody: CellSensorFaultBody
  ConveyorFaultBody: ConveyorFaultBody
  RecordingReply: RecordingReply
  RecordingFileReply: RecordingFileReply
  RobotRun: RobotRun
  RobotRunOutcome: RobotRunOutcome
  ToolpathEntry: ToolpathEntry
  ToolpathEntriesReply: ToolpathEntriesReply
  RobotRunsReply: RobotRunsReply
  ReplayRunBody: ReplayRunBody
  ReplayRunReply: ReplayRunReply
  ServoReading: ServoReading
  BusReading: BusReading
  JointDifference: JointDifference
  DriverFault: DriverFault
  GripperReading: GripperReading
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
  UsageReply: UsageReply
  ShareUsage: ShareUsage
  OwnerUsage: OwnerUsage
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
  HookParameters: HookParameters
  RunStateChangeHook: RunStateChangeHook
  TaskStateChangeHook: TaskStateChangeHook
  SafetyStateChangeHook: SafetyStateChangeHook
  LabwareMovementHook: LabwareMovementHook
  NewPlanHook: NewPlanHook
  TypedHook: TypedHook
  DeclaredHook: DeclaredHook
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
  DeliveryHead: DeliveryHead
  DeliveryHeadsReply: DeliveryHeadsReply
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
  Shift: Shift
  WorkflowLabware: WorkflowLabware
  LabwareNeed: LabwareNeed
  LabwareOutput: LabwareOutput
  OnFailure: OnFailure
  WorkflowTask: WorkflowTask
  DataOutputs: DataOutputs
  TaskCondition: TaskCondition
  SimulatedOutput: SimulatedOutput
  WorkflowTemplate: WorkflowTemplate
  TemplateStep: TemplateStep
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
  PlanCycle: PlanCycle
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
  RunPrompt: RunPrompt
  RunSupply: RunSupply
  LateOperation: LateOperation
  BlockedBy: BlockedBy
  WaitingTask: WaitingTask
  RunDetails: RunDetails
  RunReply: RunReply
  PauseRunBody: PauseRunBody
  TaskChoiceBody: TaskChoiceBody
  CompleteTaskBody: CompleteTaskBody
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
  RunOperation: RunOperation
  RunReport: RunReport
  PlannedOperation: PlannedOperation
  PlanAnalysis: PlanAnalysis
  RunPlanReply: RunPlanReply
  RobustnessReply: RobustnessReply
}
/**
 * Joint angles to check.
 */
export interface PoseValidBody {
  /**
   * Six joint angles in radians; all zeros is the upright pose.
   */
  joints: Joints
  /**
   * The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.
   */
  tcp_config?: TcpConfig
  /**
   * At most ten zones with unique names.
   */
  avoidance_zones?: AvoidanceZones
}
/**
 * Joint angles to compute the tool pose for.
 */
export interface ForwardKinematicsBody {
  /**
   * Six joint angles in radians; all zeros is the upright pose.
   */
  joints: Joints
  /**
   * The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.
   */
  tcp_config?: TcpConfig
  /**
   * At most ten zones with unique names.
   */
  avoidance_zones?: AvoidanceZones
}
/**
 * A pose of the tool point (m) and joint angles as the initial guess.
 */
export interface InverseKinematicsBody {
  /**
   * Six joint angles in radians; all zeros is the upright pose.
   */
  guess: Joints
  /**
   * Three numbers along the axes of a frame; metres unless said otherwise.
   */
  position: Vector
  /**
   * Orientation with scalar part w; normalised by the service, never all zeros.
   */
  orientation: Quaternion
  /**
   * The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.
   */
  tcp_config?: TcpConfig
  /**
   * At most ten zones with unique names.
   */
  avoidance_zones?: AvoidanceZones
}
/**
 * A translation along an axis of the robot frame.
 */
export interface NudgeBody {
  /**
   * Six joint angles in radians; all zeros is the upright pose.
   */
  joints: Joints
  /**
   * Axis of the robot frame along which the tool moves.
   */
  direction: Axis
  /**
   * Shift (m). -100 to 100.
   */
  offset: number
  /**
   * The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.
   */
  tcp_config?: TcpConfig
  /**
   * At most ten zones with unique names.
   */
  avoidance_zones?: AvoidanceZones
}
/**
 * A rotation about an axis of the tool.
 */
export interface RotateBody {
  /**
   * Six joint angles in radians; all zeros is the upright pose.
   */
  joints: Joints
  /**
   * Axis of the tool about which it turns.
   */
  axis: Axis
  /**
   * Angle (rad). -1000 to 1000.
   */
  offset: number
  /**
   * The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.
   */
  tcp_config?: TcpConfig
  /**
   * At most ten zones with unique names.
   */
  avoidance_zones?: AvoidanceZones
}
export interface FailedCalculation {
  /**
   * Always `error`.
   */
  result: "error"
  /**
   * Error code of a motion or a calculation (§2.4).
   */
  error: MotionErrorCode
}
export interface PoseValidReply {
  /**
   * Pose of the tool point.
   */
  pose: {
    /**
     * Whether the pose is free of collisions and within its limits.
     */
    valid: boolean
    /**
     * Status.
     */
    status: string
  }
}
export interface CalculatedPose {
  /**
   * Always `success`.
   */
  result: "success"
  /**
   * Three numbers along the axes of a frame; metres unless said otherwise.
   */
  position: Vector
  /**
   * Orientation with scalar part w; normalised by the service, never all zeros.
   */
  orientation: Quaternion
}
export interface CalculatedJoints {
  /**
   * Always `success`.
   */
  result: "success"
  /**
   * Six joint angles in radians; all zeros is the upright pose.
   */
  joints: Joints
}
export interface ForwardKinematicsReply {
  /**
   * A pose of the tool point, or an error.
   */
  fk: FoundPose
}
export interface InverseKinematicsReply {
  /**
   * Joint angles, or an error.
   */
  ik: FoundJoints
}
export interface NudgeReply {
  /**
   * Joint angles, or an error.
   */
  nudge: FoundJoints
}
export interface RotateReply {
  /**
   * Joint angles, or an error.
   */
  rotate: FoundJoints
}
/**
 * Edge lengths (m).
 */
export interface CellSize {
  /**
   * Along x (m in vectors and sizes). 0 to 5.
   */
  x: number
  /**
   * Along y (m in vectors and sizes). 0 to 5.
   */
  y: number
  /**
   * Along z (m in vectors and sizes). 0 to 5.
   */
  z: number
}
/**
 * A box.
 */
export interface BoxShape {
  /**
   * Always `box`.
   */
  kind: "box"
  /**
   * Edge lengths (m).
   */
  size_m: CellSize
}
/**
 * A cylinder that stands on its end.
 */
export interface CylinderShape {
  /**
   * Always `cylinder`.
   */
  kind: "cylinder"
  /**
   * Diameter. 0 to 2 m.
   */
  diameter_m: number
  /**
   * Height. 0 to 2 m.
   */
  height_m: number
}
/**
 * A microplate with the footprint of ANSI/SLAS 1-2004, 127.76 mm by 85.48 mm.
 */
export interface MicroplateShape {
  /**
   * Always `microplate`.
   */
  kind: "microplate"
  /**
   * Default 0.01435, the standard height. 0 to 0.1 m.
   */
  height_m?: number
}
/**
 * A tube, as a cylinder with a flat bottom.
 */
export interface TubeShape {
  /**
   * Always `tube`.
   */
  kind: "tube"
  /**
   * Diameter. 0 to 0.2 m.
   */
  diameter_m: number
  /**
   * Height. 0 to 0.5 m.
   */
  height_m: number
}
/**
 * A place for one object on a fixture or on another object.
 */
export interface CellNest {
  /**
   * Name for people.
   */
  name: Name
  /**
   * Where the middle of an object's bottom face lies, in the frame of the body (m).
   */
  position: Vector
  /**
   * Orientation with scalar part w; normalised by the service, never all zeros.
   */
  orientation?: Quaternion
}
/**
 * A box of a fixture.
 */
export interface CellBox {
  /**
   * Edge lengths (m).
   */
  size_m: CellSize
  /**
   * Middle of the bottom face in the frame of the fixture (m); default its origin.
   */
  position?: Vector
  /**
   * Orientation with scalar part w; normalised by the service, never all zeros.
   */
  orientation?: Quaternion
}
/**
 * A static body: table, nest, rack, hotel or frame.
 */
export interface CellFixture {
  /**
   * Name for people.
   */
  name: Name
  /**
   * Origin of the fixture (m).
   */
  position: Vector
  /**
   * Orientation with scalar part w; normalised by the service, never all zeros.
   */
  orientation?: Quaternion
  /**
   * A box of a fixture.
   */
  boxes: CellBox[]
  /**
   * A place for one object on a fixture or on another object.
   */
  nests?: CellNest[]
  /**
   * Friction coefficient; default 0.5. The smoother one of two surfaces decides. 0 to 2.
   */
  friction?: number
  /**
   * Stiffness of a contact with the arm; default 25000. 100 to 1000000 N/m.
   */
  stiffness_n_per_m?: number
}
/**
 * A body that can be moved.
 */
export interface CellObject {
  /**
   * Name for people.
   */
  name: Name
  /**
   * The shape of an object. Its frame lies in the middle of its bottom face, z up.
   */
  shape: CellShape
  /**
   * At least 0.1 g (limit cell_mass_min_kg), at most what the arm can carry. In kg.
   */
  mass_kg: number
  /**
   * Friction coefficient; default 0.5. The smoother one of two surfaces decides. 0 to 2.
   */
  friction?: number
  /**
   * Name of the nest in which it starts; excludes position.
   */
  nest?: Name
  /**
   * Middle of its bottom face (m).
   */
  position?: Vector
  /**
   * Orientation with scalar part w; normalised by the service, never all zeros.
   */
  orientation?: Quaternion
  /**
   * The object whose lid it is: without nest and position it starts on that, in the middle.
   */
  lid_of?: Name
  /**
   * Only of a lid: a gripper that takes one of the two lifts both while the lid is on its object.
   */
  sealed?: boolean
  /**
   * Places for other objects on this one.
   */
  nests?: CellNest[]
}
/**
 * Two parallel jaws at the flange.
 */
export interface JawGripper {
  /**
   * Always `jaws`.
   */
  kind: "jaws"
  /**
   * Name for people.
   */
  name: Name
  /**
   * A digital output of base or end effector.
   */
  output: DigitalOutputKey
  /**
   * Value of the output that closes the gripper; default true.
   */
  closes_on?: boolean
  /**
   * Grasp centre in the flange frame: midway between the pads, or the middle of the cup. In m.
   */
  tip_m: Vector
  /**
   * Angle of the closing direction from the flange's x axis, about its z axis (rad); default 0. -6.3 to 6.3 rad.
   */
  jaw_angle_rad?: number
  /**
   * Distance between the open pads (m). 0 to 0.5 m.
   */
  stroke_m: number
  /**
   * Size of a pad across closing direction and approach (m). 0 to 0.2 m.
   */
  pad_width_m: number
  /**
   * Size of a pad along the approach (m). 0 to 0.2 m.
   */
  pad_height_m: number
  /**
   * Force. 0 to 1000 N.
   */
  force_n: number
  /**
   * Time from fully open to fully closed, or until the vacuum holds (s). 0.001 to 10 s.
   */
  closing_time_s: number
  /**
   * Coefficient between gripper and object; default: the object's. 0 to 2.
   */
  friction?: number
  /**
   * Mass of the gripper; default 0. 0 to 1.25 kg.
   */
  mass_kg?: number
  /**
   * Input that is true while the gripper holds an object.
   */
  part_present_input?: DigitalInputKey
  /**
   * Input that is true while the jaws are closed upon each other.
   */
  closed_input?: DigitalInputKey
}
/**
 * A suction cup at the flange.
 */
export interface SuctionGripper {
  /**
   * Always `suction`.
   */
  kind: "suction"
  /**
   * Name for people.
   */
  name: Name
  /**
   * A digital output of base or end effector.
   */
  output: DigitalOutputKey
  /**
   * Value of the output that closes the gripper; default true.
   */
  closes_on?: boolean
  /**
   * Grasp centre in the flange frame: midway between the pads, or the middle of the cup. In m.
   */
  tip_m: Vector
  /**
   * Radius of the cup (m). 0 to 0.2 m.
   */
  radius_m: number
  /**
   * Greatest gap between cup and surface that the vacuum closes (m). 0 to 0.05 m.
   */
  reach_m: number
  /**
   * Force. 0 to 1000 N.
   */
  force_n: number
  /**
   * Time from fully open to fully closed, or until the vacuum holds (s). 0.001 to 10 s.
   */
  closing_time_s: number
  /**
   * Coefficient between gripper and object; default: the object's. 0 to 2.
   */
  friction?: number
  /**
   * Mass of the gripper; default 0. 0 to 1.25 kg.
   */
  mass_kg?: number
  /**
   * Input that is true while the gripper holds an object.
   */
  part_present_input?: DigitalInputKey
}
/**
 * Active while an object crosses the line.
 */
export interface BeamSensor {
  /**
   * Always `beam`.
   */
  kind: "beam"
  /**
   * Name for people.
   */
  name: Name
  /**
   * A digital input of base or end effector.
   */
  input: DigitalInputKey
  /**
   * True: the input is false while the sensor is active. Default false.
   */
  inverted?: boolean
  /**
   * Time from a change to its signal (s); default 0. A change that lasts shorter is not signalled. 0 to 10 s.
   */
  delay_s?: number
  /**
   * Three numbers along the axes of a frame; metres unless said otherwise.
   */
  from: Vector
  /**
   * Three numbers along the axes of a frame; metres unless said otherwise.
   */
  to: Vector
}
/**
 * Active while the centre of an object is inside a box.
 */
export interface PresenceSensor {
  /**
   * Always `presence`.
   */
  kind: "presence"
  /**
   * Name for people.
   */
  name: Name
  /**
   * A digital input of base or end effector.
   */
  input: DigitalInputKey
  /**
   * True: the input is false while the sensor is active. Default false.
   */
  inverted?: boolean
  /**
   * Time from a change to its signal (s); default 0. A change that lasts shorter is not signalled. 0 to 10 s.
   */
  delay_s?: number
  /**
   * Centre of the volume (m).
   */
  position: Vector
  /**
   * Edge lengths (m).
   */
  size_m: CellSize
  /**
   * Orientation with scalar part w; normalised by the service, never all zeros.
   */
  orientation?: Quaternion
}
/**
 * Measures the distance to the first object on a line.
 */
export interface DistanceSensor {
  /**
   * Always `distance`.
   */
  kind: "distance"
  /**
   * Name for people.
   */
  name: Name
  /**
   * An analog input of base or end effector.
   */
  input: AnalogInputKey
  /**
   * Time from a change to its signal (s); default 0. A change that lasts shorter is not signalled. 0 to 10 s.
   */
  delay_s?: number
  /**
   * Three numbers along the axes of a frame; metres unless said otherwise.
   */
  position: Vector
  /**
   * Three numbers along the axes of a frame; metres unless said otherwise.
   */
  direction: Vector
  /**
   * Largest distance that the sensor sees. 0 to 5 m.
   */
  range_m: number
  /**
   * Signal at distance 0 (V or mA). 0 to 24.
   */
  at_zero: number
  /**
   * Signal at the end of the range and beyond (V or mA). 0 to 24.
   */
  at_full_scale: number
}
/**
 * Measures the weight of what a gripper holds or a fixture carries.
 */
export interface WeightSensor {
  /**
   * Always `weight`.
   */
  kind: "weight"
  /**
   * Name for people.
   */
  name: Name
  /**
   * An analog input of base or end effector.
   */
  input: AnalogInputKey
  /**
   * Time from a change to its signal (s); default 0. A change that lasts shorter is not signalled. 0 to 10 s.
   */
  delay_s?: number
  /**
   * The gripper or fixture whose objects are weighed.
   */
  of: Name
  /**
   * Largest mass that the sensor weighs. 0 to 10 kg.
   */
  full_scale_kg: number
  /**
   * Signal at no weight (V or mA). 0 to 24.
   */
  at_zero: number
  /**
   * Signal at full scale and beyond (V or mA). 0 to 24.
   */
  at_full_scale: number
}
/**
 * The travel of a belt as an analog signal.
 */
export interface ConveyorEncoder {
  /**
   * An analog input of base or end effector.
   */
  input: AnalogInputKey
  /**
   * Travel after which the signal starts again (m). 0 to 100 m.
   */
  span_m: number
  /**
   * Signal at the start of the span (V or mA). 0 to 24.
   */
  at_zero: number
  /**
   * Signal at its end (V or mA). 0 to 24.
   */
  at_full_scale: number
}
/**
 * A conveyor whose upper face moves.
 */
export interface CellConveyor {
  /**
   * Name for people.
   */
  name: Name
  /**
   * Middle of the bottom face (m).
   */
  position: Vector
  /**
   * Orientation with scalar part w; normalised by the service, never all zeros.
   */
  orientation?: Quaternion
  /**
   * Edge lengths (m).
   */
  size_m: CellSize
  /**
   * Speed of the surface along its x axis (m/s). -1 to 1 m/s.
   */
  speed_m_s: number
  /**
   * Output that runs it; without one it always runs.
   */
  output?: DigitalOutputKey
  /**
   * Value of the output that runs it; default true.
   */
  runs_on?: boolean
  /**
   * Default 0.8. 0 to 2.
   */
  friction?: number
  /**
   * The travel of a belt as an analog signal.
   */
  encoder?: ConveyorEncoder
}
/**
 * A push button.
 */
export interface CellButton {
  /**
   * Always `button`.
   */
  kind: "button"
  /**
   * Name for people.
   */
  name: Name
  /**
   * A digital input of base or end effector.
   */
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
  /**
   * Always `door`.
   */
  kind: "door"
  /**
   * Name for people.
   */
  name: Name
  /**
   * A digital input of base or end effector.
   */
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
  /**
   * Name for people.
   */
  name: Name
  /**
   * A static body: table, nest, rack, hotel or frame.
   */
  fixtures?: CellFixture[]
  /**
   * A body that can be moved.
   */
  objects?: CellObject[]
  /**
   * A gripper at the flange, driven by an output.
   */
  grippers?: CellGripper[]
  /**
   * A sensor that drives an input.
   */
  sensors?: CellSensor[]
  /**
   * A conveyor whose upper face moves.
   */
  conveyors?: CellConveyor[]
  /**
   * What a person operates.
   */
  controls?: CellControl[]
}
/**
 * An object now.
 */
export interface CellObjectState {
  /**
   * Name for people.
   */
  name: Name
  /**
   * Middle of its bottom face (m).
   */
  position: Vector
  /**
   * Orientation with scalar part w; normalised by the service, never all zeros.
   */
  orientation: Quaternion
  /**
   * `carried`: it stands on an object that a gripper holds, or on what that carries.
   */
  status: ("resting" | "moving" | "held" | "tipped" | "missing" | "carried")
  /**
   * The nest, else the fixture, conveyor or object on which it rests, or `floor`, also while that carries it; null while it moves or is held.
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
  /**
   * Name for people.
   */
  name: Name
  /**
   * Distance between the pads; 0 for suction. In m.
   */
  opening_m: number
  /**
   * Whether it closes or has closed; a jammed one does not follow its output.
   */
  closed: boolean
  /**
   * What it holds, or whether the expectation holds.
   */
  holds: (string | null)
  /**
   * Pose of the held object's bottom face in the flange frame (m); only while it holds one.
   */
  holds_at?: {
    /**
     * Three numbers along the axes of a frame; metres unless said otherwise.
     */
    position: Vector
    /**
     * Orientation with scalar part w; normalised by the service, never all zeros.
     */
    orientation: Quaternion
  }
  /**
   * What stands on the held object, each after what it stands on, with the pose of its bottom face in the flange frame (m); only while something does.
   */
  carries?: {
    /**
     * Name of the object.
     */
    object: Name
    /**
     * Three numbers along the axes of a frame; metres unless said otherwise.
     */
    position: Vector
    /**
     * Orientation with scalar part w; normalised by the service, never all zeros.
     */
    orientation: Quaternion
  }[]
}
/**
 * A sensor now.
 */
export interface CellSensorState {
  /**
   * Name for people.
   */
  name: Name
  /**
   * Whether it detects something; an analog one: whether it reads more than nothing.
   */
  active: boolean
  /**
   * The value that it gives (V or mA where analog); its input takes the nearest in its range.
   */
  value: (boolean | number)
}
/**
 * A conveyor now.
 */
export interface CellConveyorState {
  /**
   * Name for people.
   */
  name: Name
  /**
   * Whether it moves.
   */
  running: boolean
  /**
   * How far the belt has moved along its own x (m); negative where its speed is.
   */
  travel_m: number
}
/**
 * A button or door now.
 */
export interface CellControlState {
  /**
   * Name for people.
   */
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
  /**
   * An object now.
   */
  objects: CellObjectState[]
  /**
   * A gripper now.
   */
  grippers: CellGripperState[]
  /**
   * A sensor now.
   */
  sensors: CellSensorState[]
  /**
   * A conveyor now.
   */
  conveyors: CellConveyorState[]
  /**
   * A button or door now.
   */
  controls: CellControlState[]
}
/**
 * Something that happened in the cell.
 */
export interface CellEvent {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Kind; decides the other fields.
   */
  kind: ("grasped" | "missed" | "released" | "dropped" | "settled" | "tipped" | "slipped" | "carried" | "slid" | "fell_off" | "jammed" | "sensor" | "passed")
  /**
   * Simulated time since the start (s).
   */
  at_s: number
  /**
   * Tick of the control loop: 4 ms of twin time each.
   */
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
  /**
   * Position of the object, or of the gripper or sensor (m).
   */
  position: Vector
  /**
   * Orientation with scalar part w; normalised by the service, never all zeros.
   */
  orientation: Quaternion
  /**
   * What happened, in a sentence.
   */
  text: string
}
/**
 * What the loaded toolpath meets in the cell as it stood when it was loaded, or when the cell was replaced after that. The arm runs it all the same.
 */
export interface CellPathCheck {
  /**
   * Its name.
   */
  toolpath: string
  /**
   * What its motions were checked against, in words.
   */
  checked_against: string[]
  /**
   * In the order of time.
   */
  findings: {
    /**
     * JSON pointer of the step in the toolpath.
     */
    path: string
    /**
     * Cell of the grid, innermost last; empty outside of grids.
     */
    cell: number[]
    /**
     * When in the loop, waits for inputs counting as zero (s).
     */
    time_s: number
    /**
     * How deep the bodies are in each other at most; negative: the gap that is left (m).
     */
    depth_m: number
    /**
     * The part of the arm, or the name of the gripper or of what it holds.
     */
    part: string
    /**
     * Name of what stands there, or `floor`.
     */
    what: string
    /**
     * What that is.
     */
    kind: ("fixture" | "conveyor" | "object" | "ground")
    /**
     * What meets what, when, where, and what to do.
     */
    problem: string
  }[]
  /**
   * Why it was not checked; null where it was.
   */
  problem: (string | null)
}
/**
 * What the loaded toolpath meets in the cell; null without a toolpath or a cell.
 */
export interface CellCheckReply {
  /**
   * What the loaded toolpath meets in the cell as it stood when it was loaded, or when the cell was replaced after that. The arm runs it all the same.
   */
  check: (null | CellPathCheck)
}
/**
 * The cell as described, and its state; null without a cell.
 */
export interface CellReply {
  /**
   * The things around the arm. Lengths in m, robot frame; every name is unique in the cell.
   */
  cell: (null | Cell)
  /**
   * The moving parts of a cell now.
   */
  state: (null | CellState)
}
export interface CellObjectReply {
  /**
   * An object now.
   */
  object: CellObjectState
  /**
   * Its latest events, oldest first.
   */
  events: CellEvent[]
  /**
   * Injected faults of the object and of the parts of the cell, each as a sentence.
   */
  faults: string[]
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
  /**
   * The nest to put it in; excludes position.
   */
  nest?: Name
  /**
   * Middle of its bottom face (m).
   */
  position?: Vector
  /**
   * Orientation with scalar part w; normalised by the service, never all zeros.
   */
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
  /**
   * Name of the object.
   */
  object: Name
  /**
   * The nest, fixture, conveyor or object where it should rest.
   */
  at?: Name
  /**
   * The gripper that should hold it.
   */
  held_by?: Name
  /**
   * Distance from `at`, which must be a nest then; default 10. 0 to 10000 mm.
   */
  within_mm?: number
  /**
   * Maximum simulated time (s). 0 to 31622400 s.
   */
  limit_s: number
}
export interface ObjectUntilReply {
  /**
   * Whether it was reached in the given time.
   */
  reached: boolean
  /**
   * An object now.
   */
  object: CellObjectState
  /**
   * The simulated time and its pace.
   */
  clock: SimClock
}
/**
 * The cell was replaced or removed.
 */
export interface SimCellEvent {
  /**
   * Always `cell`.
   */
  type: "cell"
  /**
   * The things around the arm. Lengths in m, robot frame; every name is unique in the cell.
   */
  cell: (null | Cell)
}
/**
 * The parts of the cell that changed since the last such message, each whole; at most every 20 ms.
 */
export interface SimCellStateEvent {
  /**
   * Always `cell_state`.
   */
  type: "cell_state"
  /**
   * Tick of the control loop: 4 ms of twin time each.
   */
  tick: number
  /**
   * The moving parts of a cell now.
   */
  state: CellState
}
/**
 * The loaded toolpath was checked in the cell, or there is nothing to check any more.
 */
export interface SimCellCheckEvent {
  /**
   * Always `cell_check`.
   */
  type: "cell_check"
  /**
   * What the loaded toolpath meets in the cell as it stood when it was loaded, or when the cell was replaced after that. The arm runs it all the same.
   */
  check: (null | CellPathCheck)
}
/**
 * Something happened in the cell.
 */
export interface SimCellHappenedEvent {
  /**
   * Always `cell_event`.
   */
  type: "cell_event"
  /**
   * Something that happened in the cell.
   */
  event: CellEvent
}
/**
 * What `armtwin rehearse` expects of each run of a toolpath.
 */
export interface RehearsalExpectations {
  /**
   * Where objects are at the end.
   */
  objects?: {
    /**
     * Name of the object.
     */
    object: Name
    /**
     * The nest, fixture, conveyor or object where it rests.
     */
    at?: Name
    /**
     * The gripper that holds it.
     */
    held_by?: Name
    /**
     * Distance from `at`, which must be a nest then; default 10. 0 to 10000 mm.
     */
    within_mm?: number
  }[]
  /**
   * Longest run (s).
   */
  max_duration_s?: number
  /**
   * Greatest force of a contact of arm, tool, gripper or what it holds (N).
   */
  max_contact_force_n?: number
  /**
   * Changes of signals that occur in this order, among others; those of one tick in either order.
   */
  signals?: {
    /**
     * A digital output of base or end effector.
     */
    output?: DigitalOutputKey
    /**
     * A digital input of base or end effector.
     */
    input?: DigitalInputKey
    /**
     * The value.
     */
    value: boolean
  }[]
  /**
   * Buttons that are pressed and doors that are opened when the run starts.
   */
  press?: Name[]
  /**
   * Least share of the variations that must work; default 0. 0 to 1.
   */
  min_share?: number
}
/**
 * Three numbers along the axes of a frame; metres unless said otherwise.
 */
export interface Vector {
  /**
   * Along x (m in vectors and sizes). -10000 to 10000.
   */
  x: number
  /**
   * Along y (m in vectors and sizes). -10000 to 10000.
   */
  y: number
  /**
   * Along z (m in vectors and sizes). -10000 to 10000.
   */
  z: number
}
/**
 * Orientation with scalar part w; normalised by the service, never all zeros.
 */
export interface Quaternion {
  /**
   * Real part. -10000 to 10000.
   */
  w: number
  /**
   * Imaginary part i. -10000 to 10000.
   */
  x: number
  /**
   * Imaginary part j. -10000 to 10000.
   */
  y: number
  /**
   * Imaginary part k. -10000 to 10000.
   */
  z: number
}
/**
 * The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.
 */
export interface TcpConfig {
  /**
   * Tip in end-effector space (m).
   */
  offsets: Vector
  /**
   * Rotation of the tool at its tip about fixed x, then y, then z (rad).
   */
  rotations: Vector
  /**
   * Radius of the cylinder (m). 0 to 10.
   */
  radius: number
}
/**
 * A box that the robot must stay out of (inside) or within (outside).
 */
export interface AvoidanceZone {
  /**
   * Unique among the zones.
   */
  name: string
  /**
   * Origin corner in the robot frame (m).
   */
  position: Vector
  /**
   * Orientation with scalar part w; normalised by the service, never all zeros.
   */
  orientation: Quaternion
  /**
   * Lengths of a box from its corner (m).
   */
  dimensions: Dimensions
  /**
   * Which side of the box the arm must not enter.
   */
  avoid: ("inside" | "outside")
}
/**
 * Lengths of a box from its corner (m).
 */
export interface Dimensions {
  /**
   * Along x (m in vectors and sizes). 0 to 10000.
   */
  x: number
  /**
   * Along y (m in vectors and sizes). 0 to 10000.
   */
  y: number
  /**
   * Along z (m in vectors and sizes). 0 to 10000.
   */
  z: number
}
/**
 * One input or output: base digital 0 to 3, every other kind 0 to 1.
 */
export interface IoAddress {
  /**
   * Where the signal is: base or end effector.
   */
  location: ("base" | "end_effector")
  /**
   * Kind of the signal.
   */
  type: ("analog" | "digital")
  /**
   * Index, starting at 0. 0 to 3.
   */
  index: number
}
/**
 * The body of every error reply (§7).
 */
export interface ErrorBody {
  /**
   * What was wrong.
   */
  error: {
    /**
     * Code of the error (§7).
     */
    error_code: (0 | 1 | 3 | 4 | 5 | 6 | 8)
    /**
     * Fixed sentence for the kind of error.
     */
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
  /**
   * Versions of the API that the robot serves.
   */
  APIs: string[]
  /**
   * Version of the robot software.
   */
  robot: string
}
export interface NameReply {
  /**
   * Name for people.
   */
  name: string
}
export interface Changelog {
  /**
   * Version of the robot software.
   */
  version: string
  /**
   * What changed.
   */
  content: string
}
export interface Update {
  /**
   * Version of the robot software.
   */
  version: string
  /**
   * What changed in each version.
   */
  changelogs: Changelog[]
}
export interface UpdatesReply {
  /**
   * The updates that can be installed, next one first.
   */
  updates: Update[]
}
export interface ApplyUpdateBody {
  /**
   * Version of the robot software.
   */
  version: string
}
export interface UpdatingReply {
  /**
   * Always `true`.
   */
  updating: true
}
export interface RunBody {
  /**
   * Teach mode is slow and requires a renewed lock; automatic mode does not.
   */
  mode: RunMode
  /**
   * Number of loops; 0 means endless. 0 to 2147483647.
   */
  loop: number
}
/**
 * home always runs in teach mode; the mode may be stated.
 */
export interface HomeBody {
  /**
   * Always `teach`.
   */
  mode?: "teach"
}
/**
 * Only one of time and max_speed; with neither, max_speed is 0.25 m/s.
 */
export interface GoToBody {
  /**
   * Teach mode is slow and requires a renewed lock; automatic mode does not.
   */
  mode: RunMode
  /**
   * Six joint angles in radians; all zeros is the upright pose.
   */
  joints: Joints
  /**
   * A duration (s), above 0.
   */
  time?: Seconds
  /**
   * Speed of the tool point (m/s); limited to the maximum of the mode.
   */
  max_speed?: Speed
  /**
   * The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.
   */
  tcp_config?: TcpConfig
  /**
   * At most ten zones with unique names.
   */
  avoidance_zones?: AvoidanceZones
}
export interface SchedulerBody {
  /**
   * Whether it is on.
   */
  enabled: boolean
  /**
   * Time of day at which the run starts, HH:MM:SS.
   */
  start_time?: TimeOfDay
  /**
   * Time of day at which the run stops after its loop, HH:MM:SS.
   */
  end_time?: TimeOfDay
}
export interface CollisionDetectionBody {
  /**
   * Whether it is on.
   */
  enabled: boolean
  /**
   * Higher values let lighter impacts stop the robot.
   */
  sensitivity?: Sensitivity
}
/**
 * The result of a use or scheduler call.
 */
export interface EventReply {
  /**
   * What the call caused.
   */
  event: {
    /**
     * More about it; null when there is nothing to say.
     */
    details: string
    /**
     * Name for people.
     */
    name: ("EVENT_TOOLPATH_UPDATE" | "EVENT_SCHEDULER_UPDATE")
  }
}
/**
 * The whole state of the robot under flat names.
 */
export interface Snapshot {
  /**
   * State of collision detection.
   */
  collision_detection: CollisionDetectionState
  /**
   * State machine, loops and loaded toolpath.
   */
  control: ControlState
  /**
   * Emergency stop.
   */
  global: GlobalState
  /**
   * Values of the inputs.
   */
  "global.inputs": Inputs
  /**
   * Values of the outputs.
   */
  "global.outputs": Outputs
  /**
   * State of the daily schedule.
   */
  scheduler: SchedulerState
  /**
   * Joint angles (rad).
   */
  "servos.telemetry.position": JointReadings
  /**
   * Temperatures (°C).
   */
  "servos.telemetry.temperature": JointReadings
  /**
   * Joint velocities (degree/s).
   */
  "servos.telemetry.velocity": JointReadings
}
export interface CollisionDetectionState {
  /**
   * Whether it is on.
   */
  enabled: boolean
  /**
   * Higher values let lighter impacts stop the robot.
   */
  sensitivity: Sensitivity
}
export interface ControlState {
  /**
   * State.
   */
  state: RobotStateName
  /**
   * Completed loops of the selected toolpath.
   */
  loop_count: number
  /**
   * Number of loops; 0 means endless.
   */
  loop_target: number
  /**
   * Name of the loaded toolpath; empty without one.
   */
  toolpath_name: string
  /**
   * Hash of the loaded toolpath; empty without one.
   */
  toolpath_hash: string
  /**
   * Mode of the motion; `not_running` without one.
   */
  run_mode: ("automatic" | "teach" | "not_running")
}
export interface GlobalState {
  /**
   * True while the emergency stop is engaged.
   */
  estop: boolean
}
export interface Inputs {
  /**
   * Digital signal 0 of the base.
   */
  d0: boolean
  /**
   * Digital signal 1 of the base.
   */
  d1: boolean
  /**
   * Digital signal 2 of the base.
   */
  d2: boolean
  /**
   * Digital signal 3 of the base.
   */
  d3: boolean
  /**
   * Analog signal 0 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.
   */
  a0: number
  /**
   * Analog signal 1 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.
   */
  a1: number
  /**
   * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
   */
  a0_mode: AnalogMode
  /**
   * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
   */
  a1_mode: AnalogMode
  /**
   * Volts.
   */
  ee_a0: number
  /**
   * Volts.
   */
  ee_a1: number
  /**
   * Digital signal 0 of the end effector.
   */
  ee_d0: boolean
  /**
   * Digital signal 1 of the end effector.
   */
  ee_d1: boolean
}
export interface Outputs {
  /**
   * Digital signal 0 of the base.
   */
  d0: boolean
  /**
   * Digital signal 1 of the base.
   */
  d1: boolean
  /**
   * Digital signal 2 of the base.
   */
  d2: boolean
  /**
   * Digital signal 3 of the base.
   */
  d3: boolean
  /**
   * Analog signal 0 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.
   */
  a0: number
  /**
   * Analog signal 1 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.
   */
  a1: number
  /**
   * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
   */
  a0_mode: AnalogMode
  /**
   * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
   */
  a1_mode: AnalogMode
  /**
   * Digital signal 0 of the end effector.
   */
  ee_d0: boolean
  /**
   * Digital signal 1 of the end effector.
   */
  ee_d1: boolean
}
export interface SchedulerState {
  /**
   * Whether it is on.
   */
  enabled: boolean
  /**
   * Time of day at which the run starts, HH:MM:SS.
   */
  start_time: TimeOfDay
  /**
   * Time of day at which the run stops after its loop, HH:MM:SS.
   */
  stop_time: TimeOfDay
}
/**
 * The changed parts of a snapshot; arrays are complete.
 */
export interface SnapshotChanges {
  /**
   * State of collision detection.
   */
  collision_detection?: {
    /**
     * Whether it is on.
     */
    enabled?: boolean
    /**
     * Higher values let lighter impacts stop the robot.
     */
    sensitivity?: Sensitivity
  }
  /**
   * State machine, loops and loaded toolpath.
   */
  control?: {
    /**
     * State.
     */
    state?: RobotStateName
    /**
     * Completed loops of the selected toolpath.
     */
    loop_count?: number
    /**
     * Number of loops; 0 means endless.
     */
    loop_target?: number
    /**
     * Name of the loaded toolpath; empty without one.
     */
    toolpath_name?: string
    /**
     * Hash of the loaded toolpath; empty without one.
     */
    toolpath_hash?: string
    /**
     * Mode of the motion; `not_running` without one.
     */
    run_mode?: ("automatic" | "teach" | "not_running")
  }
  /**
   * Emergency stop.
   */
  global?: {
    /**
     * True while the emergency stop is engaged.
     */
    estop?: boolean
  }
  /**
   * Values of the inputs.
   */
  "global.inputs"?: {
    /**
     * Digital signal 0 of the base.
     */
    d0?: boolean
    /**
     * Digital signal 1 of the base.
     */
    d1?: boolean
    /**
     * Digital signal 2 of the base.
     */
    d2?: boolean
    /**
     * Digital signal 3 of the base.
     */
    d3?: boolean
    /**
     * Analog signal 0 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.
     */
    a0?: number
    /**
     * Analog signal 1 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.
     */
    a1?: number
    /**
     * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
     */
    a0_mode?: AnalogMode
    /**
     * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
     */
    a1_mode?: AnalogMode
    /**
     * Volts.
     */
    ee_a0?: number
    /**
     * Volts.
     */
    ee_a1?: number
    /**
     * Digital signal 0 of the end effector.
     */
    ee_d0?: boolean
    /**
     * Digital signal 1 of the end effector.
     */
    ee_d1?: boolean
  }
  /**
   * Values of the outputs.
   */
  "global.outputs"?: {
    /**
     * Digital signal 0 of the base.
     */
    d0?: boolean
    /**
     * Digital signal 1 of the base.
     */
    d1?: boolean
    /**
     * Digital signal 2 of the base.
     */
    d2?: boolean
    /**
     * Digital signal 3 of the base.
     */
    d3?: boolean
    /**
     * Analog signal 0 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.
     */
    a0?: number
    /**
     * Analog signal 1 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.
     */
    a1?: number
    /**
     * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
     */
    a0_mode?: AnalogMode
    /**
     * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
     */
    a1_mode?: AnalogMode
    /**
     * Digital signal 0 of the end effector.
     */
    ee_d0?: boolean
    /**
     * Digital signal 1 of the end effector.
     */
    ee_d1?: boolean
  }
  /**
   * State of the daily schedule.
   */
  scheduler?: {
    /**
     * Whether it is on.
     */
    enabled?: boolean
    /**
     * Time of day at which the run starts, HH:MM:SS.
     */
    start_time?: TimeOfDay
    /**
     * Time of day at which the run stops after its loop, HH:MM:SS.
     */
    stop_time?: TimeOfDay
  }
  /**
   * Joint angles (rad).
   */
  "servos.telemetry.position"?: JointReadings
  /**
   * Temperatures (°C).
   */
  "servos.telemetry.temperature"?: JointReadings
  /**
   * Joint velocities (degree/s).
   */
  "servos.telemetry.velocity"?: JointReadings
}
export interface SnapshotReply {
  /**
   * The whole state of the robot under flat names.
   */
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
  /**
   * Changes in the order in which they are applied.
   */
  changes: GlobalChange[]
}
export interface ChangeGlobalsReply {
  /**
   * The changed parts of a snapshot; arrays are complete.
   */
  changes: SnapshotChanges
}
export interface FieldProblem {
  /**
   * JSON pointer into the body; empty for the whole body, `?name` for a query parameter.
   */
  path: string
  /**
   * What is wrong with the value.
   */
  problem: string
}
export interface NotReadyDetails {
  /**
   * Why, one sentence each.
   */
  reasons: string[]
  /**
   * Why saves are refused, where they are
   */
  read_only?: string
}
export interface InvalidChange {
  /**
   * Index, starting at 0.
   */
  index: number
  /**
   * What was wrong.
   */
  error: string
}
/**
 * The changes that could not be applied, in the order of the request.
 */
export interface FailedChangesDetails {
  /**
   * The body of every error reply (§7).
   */
  changes: ErrorBody[]
}
/**
 * Why the toolpath has no valid motion.
 */
export interface ToolpathErrorDetails {
  /**
   * What was wrong.
   */
  error: string
  /**
   * JSON pointer into the toolpath.
   */
  path: string
  /**
   * Error code of a motion or a calculation (§2.4).
   */
  code: MotionErrorCode
  /**
   * Name of the toolpath that is loaded now; '' if none is. In the replies of the calls that load.
   */
  loaded?: string
}
/**
 * Why the motion cannot be made.
 */
export interface MotionRefusalDetails {
  /**
   * JSON pointer of the field to change.
   */
  path?: string
  /**
   * What was wrong.
   */
  error: string
  /**
   * Error code of a motion or a calculation (§2.4).
   */
  code: MotionErrorCode
  /**
   * Shortest time of this motion in seconds, with the code time_too_short. In s.
   */
  minimum_time_s?: number
}
/**
 * Sent to all users.
 */
export interface UserCreatedEvent {
  /**
   * Always `user_created`.
   */
  type: "user_created"
  /**
   * The user.
   */
  user: User
}
/**
 * Sent to all users.
 */
export interface UserUpdatedEvent {
  /**
   * Always `user_updated`.
   */
  type: "user_updated"
  /**
   * The user.
   */
  user: User
}
/**
 * Sent to all users.
 */
export interface UserDeletedEvent {
  /**
   * Always `user_deleted`.
   */
  type: "user_deleted"
  /**
   * The user.
   */
  user: User
}
/**
 * Sent to the requesting user.
 */
export interface ToolpathCreatedEvent {
  /**
   * Always `toolpath_created`.
   */
  type: "toolpath_created"
  /**
   * A saved toolpath without its content.
   */
  toolpath: ToolpathHead
}
/**
 * Sent to the requesting user.
 */
export interface ToolpathUpdatedEvent {
  /**
   * Always `toolpath_updated`.
   */
  type: "toolpath_updated"
  /**
   * A saved toolpath without its content.
   */
  toolpath: ToolpathHead
}
/**
 * Sent to the user it is shared with.
 */
export interface ToolpathSharedEvent {
  /**
   * Always `toolpath_shared`.
   */
  type: "toolpath_shared"
  /**
   * The toolpath.
   */
  toolpath: SharedToolpath
}
/**
 * Sent to the requesting user.
 */
export interface ToolpathDeletedEvent {
  /**
   * Always `toolpath_deleted`.
   */
  type: "toolpath_deleted"
  /**
   * A saved toolpath without its content.
   */
  toolpath: ToolpathHead
}
/**
 * Sent to all users; each sees the owner from their own view.
 */
export interface LockStatusEvent {
  /**
   * Always `lock_status`.
   */
  type: "lock_status"
  /**
   * The lock as the receiver of the event sees it.
   */
  lock: LockStatus
}
/**
 * Sent to the owner of the lock.
 */
export interface BackdrivingEvent {
  /**
   * Always `backdriving`.
   */
  type: "backdriving"
  /**
   * Six joint angles in radians; all zeros is the upright pose.
   */
  waypoint: Joints
}
/**
 * Sent to all users.
 */
export interface StateChangeEvent {
  /**
   * Always `state_change`.
   */
  type: "state_change"
  /**
   * The changed parts of a snapshot; arrays are complete.
   */
  changes: SnapshotChanges
}
/**
 * Sent to all users.
 */
export interface ConfigChangeEvent {
  /**
   * Always `config_change`.
   */
  type: "config_change"
  /**
   * Kind; decides the other fields.
   */
  kind: ("network" | "time" | "network_fallback")
  /**
   * Text for people.
   */
  message: string
}
/**
 * Sent to all users.
 */
export interface UpdateInProgressEvent {
  /**
   * Always `update_in_progress`.
   */
  type: "update_in_progress"
  /**
   * Text for people.
   */
  message: string
}
export interface LockStatus {
  /**
   * The owner of the lock, from the view of the reader.
   */
  owner: LockOwner
  /**
   * Status.
   */
  status: ("locked" | "unlocked")
}
export interface CreateSessionBody {
  /**
   * An API token.
   */
  token: string
}
export interface LogInBody {
  /**
   * E-mail address, the name for logging in.
   */
  email: string
  /**
   * Password.
   */
  password: string
}
export interface TokenReply {
  /**
   * A session token.
   */
  token: string
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
  /**
   * Simulated seconds per wall second, `max` or `stepped`.
   */
  pace: PaceName
  /**
   * Whether time stands still.
   */
  paused: boolean
  /**
   * Simulated seconds per wall second over the last second.
   */
  real_time_factor: number
}
export interface ClockBody {
  /**
   * Simulated seconds per wall second, `max` or `stepped`.
   */
  pace?: PaceName
  /**
   * Whether time stands still.
   */
  paused?: boolean
}
export interface StepBody {
  /**
   * Number of ticks: 4 ms of twin time each. 1 to 1000000000.
   */
  ticks: number
}
export interface AdvanceBody {
  /**
   * Simulated time to advance (s), rounded up to whole ticks. 0 to 31622400.
   */
  seconds: number
}
export interface RunUntilBody {
  /**
   * State.
   */
  state: RobotStateName
  /**
   * Maximum simulated time (s). 0 to 31622400 s.
   */
  limit_s: number
}
export interface RunUntilReply {
  /**
   * Whether it was reached in the given time.
   */
  reached: boolean
  /**
   * State.
   */
  state: RobotStateName
  /**
   * The simulated time and its pace.
   */
  clock: SimClock
}
/**
 * External values of inputs; omitted inputs stay unchanged.
 */
export interface SetInputsBody {
  /**
   * Values by key.
   */
  values: {
    /**
     * Digital signal 0 of the base.
     */
    d0?: boolean
    /**
     * Digital signal 1 of the base.
     */
    d1?: boolean
    /**
     * Digital signal 2 of the base.
     */
    d2?: boolean
    /**
     * Digital signal 3 of the base.
     */
    d3?: boolean
    /**
     * V or mA, according to the mode.
     */
    a0?: number
    /**
     * V or mA, according to the mode.
     */
    a1?: number
    /**
     * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
     */
    a0_mode?: AnalogMode
    /**
     * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
     */
    a1_mode?: AnalogMode
    /**
     * Digital signal 0 of the end effector.
     */
    ee_d0?: boolean
    /**
     * Digital signal 1 of the end effector.
     */
    ee_d1?: boolean
    /**
     * Analog input of the end effector (V).
     */
    ee_a0?: number
    /**
     * Analog input of the end effector (V).
     */
    ee_a1?: number
  }
}
export interface InputsReply {
  /**
   * Values of the inputs, by key.
   */
  inputs: Inputs
}
/**
 * An input that follows an output of its own kind.
 */
export interface Wire {
  /**
   * Key of the output.
   */
  output: ("d0" | "d1" | "d2" | "d3" | "a0" | "a1" | "ee_d0" | "ee_d1")
  /**
   * Key of the input.
   */
  input: ("d0" | "d1" | "d2" | "d3" | "a0" | "a1" | "ee_d0" | "ee_d1" | "ee_a0" | "ee_a1")
}
/**
 * Outputs wired to inputs.
 */
export interface Loopback {
  /**
   * An input that follows an output of its own kind.
   */
  wires: Wire[]
}
export interface EmergencyStopBody {
  /**
   * Whether the emergency stop is pressed.
   */
  engaged: boolean
}
export interface PushBody {
  /**
   * Force at the flange centre (N, robot frame).
   */
  force: Vector
  /**
   * Duration (s); absent: until the next push. A zero force ends it at once. 0 to 3600 s.
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
  /**
   * Along x (m in vectors and sizes). 0 to 10.
   */
  x: number
  /**
   * Along y (m in vectors and sizes). 0 to 10.
   */
  y: number
  /**
   * Along z (m in vectors and sizes). 0 to 10.
   */
  z: number
}
/**
 * A box that the controller does not know about.
 */
export interface AddObstacleBody {
  /**
   * Name for people.
   */
  name: Name
  /**
   * Three numbers along the axes of a frame; metres unless said otherwise.
   */
  position: Vector
  /**
   * Half sizes (m).
   */
  half: HalfSizes
  /**
   * Orientation with scalar part w; normalised by the service, never all zeros.
   */
  orientation?: Quaternion
  /**
   * Default 25000, a stiff foam. 100 to 1000000 N/m.
   */
  stiffness_n_per_m?: number
}
export interface SimObstacle {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Name for people.
   */
  name: Name
  /**
   * Three numbers along the axes of a frame; metres unless said otherwise.
   */
  position: Vector
  /**
   * Half sizes (m).
   */
  half: HalfSizes
  /**
   * Orientation with scalar part w; normalised by the service, never all zeros.
   */
  orientation: Quaternion
  /**
   * Default 25000, a stiff foam. 100 to 1000000 N/m.
   */
  stiffness_n_per_m: number
}
export interface ObstacleReply {
  /**
   * The obstacle.
   */
  obstacle: SimObstacle
}
export interface ObstaclesReply {
  /**
   * The obstacles.
   */
  obstacles: SimObstacle[]
}
/**
 * What armtwin fit found of an arm. A part that is absent and a value that is null or absent are not identifiable: the model's values are used.
 */
export interface ArmProfile {
  /**
   * Always `1`.
   */
  armtwin_profile: 1
  /**
   * The arm's model.
   */
  arm: string
  /**
   * Name for people.
   */
  name?: string
  /**
   * Recordings that the profile was fitted to.
   */
  captures?: string[]
  /**
   * How the planner of the arm times straight joint motions.
   */
  motion?: ProfileMotion
  /**
   * Friction of the joints.
   */
  friction?: ProfileFriction
  /**
   * What the flange carries, in the frame of the flange.
   */
  load?: ProfileLoad
  /**
   * Standard deviations of the measured angles and rates.
   */
  noise?: ProfileNoise
  /**
   * Delay of the measurements (s). 0 to 0.031 s.
   */
  latency_s?: (number | null)
  /**
   * Intervals of 95 % by the names of the values, [low, high]: the repeatability between motions, not the accuracy.
   */
  intervals?: {
    /**
     * @minItems 2
     * @maxItems 2
     */
    [k: string]: [number, number]
  }
  /**
   * Values that the recordings do not determine, with reasons.
   */
  not_identifiable?: ProfileGap[]
}
export interface ProfileGap {
  /**
   * The value.
   */
  value: string
  /**
   * Why.
   */
  reason: string
}
/**
 * How the planner of the arm times straight joint motions.
 */
export interface ProfileMotion {
  /**
   * Law of motion that fits best.
   */
  law: ("double_s" | "filtered" | "cycloidal" | "half_sine" | "quintic" | "septic")
  /**
   * Speed limits; the rating of the arm is 120 °/s. In rad/s.
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
   * Averaging time of the law filtered (s). 0.001 to 1 s.
   */
  ramp_s?: (number | null)
  /**
   * Braking over acceleration, in the law filtered. 0.1 to 10.
   */
  braking_share?: (number | null)
  /**
   * How the speed cap of the tool slows a motion: where it is reached, or from end to end.
   */
  tool_speed?: ("where_reached" | "whole_motion")
}
export interface ProfileFriction {
  /**
   * Viscous friction of the joints. In N·m·s/rad.
   *
   * @minItems 6
   * @maxItems 6
   */
  viscous_n_m_s: [(number | null), (number | null), (number | null), (number | null), (number | null), (number | null)]
  /**
   * Coulomb friction of the joints. In N·m.
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
  /**
   * Mass. 0 to 1.25 kg.
   */
  mass_kg: number
  /**
   * Centre of mass in the flange frame: x, y, z. In m.
   */
  centre_of_mass_m: {
    /**
     * Along x (m in vectors and sizes). -0.5 to 0.5.
     */
    x: number
    /**
     * Along y (m in vectors and sizes). -0.5 to 0.5.
     */
    y: number
    /**
     * Along z (m in vectors and sizes). -0.5 to 0.5.
     */
    z: number
  }
}
/**
 * Standard deviations of the measured angles and rates.
 */
export interface ProfileNoise {
  /**
   * Position. 0 to 0.01 rad.
   */
  position_rad?: (number | null)
  /**
   * Velocity. 0 to 0.2 rad/s.
   */
  velocity_rad_s?: (number | null)
}
/**
 * Inertia about the centre of mass as tensor elements, flange axes (kg m²).
 */
export interface LoadInertia {
  /**
   * Moment about x (kg·m²). -1 to 1.
   */
  xx: number
  /**
   * Moment about y (kg·m²). -1 to 1.
   */
  yy: number
  /**
   * Moment about z (kg·m²). -1 to 1.
   */
  zz: number
  /**
   * Product of x and y (kg·m²). -1 to 1.
   */
  xy: number
  /**
   * Product of x and z (kg·m²). -1 to 1.
   */
  xz: number
  /**
   * Product of y and z (kg·m²). -1 to 1.
   */
  yz: number
}
/**
 * A load at the flange. Without inertia it is a ball of 30 mm radius at its centre of mass. A mass of 0 is no load.
 */
export interface SimLoad {
  /**
   * At most the payload of the arm. 0 to 1.25 kg.
   */
  mass_kg: number
  /**
   * In the flange frame. In m.
   */
  centre_of_mass_m: {
    /**
     * Along x (m in vectors and sizes). -0.3 to 0.3.
     */
    x: number
    /**
     * Along y (m in vectors and sizes). -0.3 to 0.3.
     */
    y: number
    /**
     * Along z (m in vectors and sizes). -0.3 to 0.3.
     */
    z: number
  }
  /**
   * Inertia about the centre of mass as tensor elements, flange axes (kg m²).
   */
  inertia?: LoadInertia
}
export interface LoadReply {
  /**
   * The load that was set; null while the flange carries what the toolpath states, or what the grippers of a cell hold.
   */
  load: (SimLoad | null)
  /**
   * Payload of the loaded toolpath, which the arm expects. In kg.
   */
  payload_kg: number
}
/**
 * A contact of the arm. It lasts until its bodies have been apart for half a second.
 */
export interface SimContact {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Simulated time of the touch. In s.
   */
  at_s: number
  /**
   * Simulated time of the last force; null while the contact lasts. In s.
   */
  ended_s: (number | null)
  /**
   * Link of the arm; 7 is the tool, 8 the carried load, 9 the gripper of a cell.
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
  /**
   * Three numbers along the axes of a frame; metres unless said otherwise.
   */
  place: Vector
  /**
   * Speed of the body at the touch, along the contact normal. In m/s.
   */
  speed_m_s: number
  /**
   * Largest force of the contact so far. In N.
   */
  peak_force_n: number
  /**
   * Force now; 0 once the bodies are apart. In N.
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
  /**
   * A contact of the arm. It lasts until its bodies have been apart for half a second.
   */
  contacts: SimContact[]
  /**
   * Limits of contact forces by region of the body (ISO/TS 15066).
   */
  force_limits: {
    /**
     * Region of the body.
     */
    region: string
    /**
     * Largest permitted force of a contact that lasts. In N.
     */
    quasi_static_n: number
    /**
     * Null where a transient contact is not permissible. In N.
     */
    transient_n: (number | null)
  }[]
  /**
   * What the figures are and are not.
   */
  note: string
}
/**
 * A contact; sent when it starts and when it has ended.
 */
export interface SimContactEvent {
  /**
   * Always `contact`.
   */
  type: "contact"
  /**
   * A contact of the arm. It lasts until its bodies have been apart for half a second.
   */
  contact: SimContact
}
/**
 * A joint reports a fault until it is cleared.
 */
export interface DriverFaultBody {
  /**
   * Always `driver`.
   */
  kind: "driver"
  /**
   * Index of the joint, 0 at the base. 0 to 5.
   */
  joint: number
  /**
   * The fault; null without one.
   */
  fault: ("lost" | "overheated" | "overload" | "encoder" | "following_error" | "voltage" | "stale" | "bus")
}
/**
 * A joint reports a collision once. Refused (409) while collision detection is off, and in states that no collision interrupts.
 */
export interface CollisionFaultBody {
  /**
   * Always `collision`.
   */
  kind: "collision"
  /**
   * Switches collision detection on first; it stays on.
   */
  with_detection?: boolean
  /**
   * Index of the joint, 0 at the base. 0 to 5.
   */
  joint: number
}
/**
 * Adds noise of at most these amplitudes to the reported angles, velocities and temperatures.
 */
export interface SensorNoiseFaultBody {
  /**
   * Always `sensor_noise`.
   */
  kind: "sensor_noise"
  /**
   * Position. 0 to 0.1 rad.
   */
  position_rad?: number
  /**
   * Velocity. 0 to 10 rad/s.
   */
  velocity_rad_s?: number
  /**
   * Temperature. 0 to 50 °C.
   */
  temperature_c?: number
  /**
   * Seed of the random numbers. 0 to 4294967295.
   */
  seed?: number
}
/**
 * An input keeps its value.
 */
export interface StuckInputFaultBody {
  /**
   * Always `stuck_input`.
   */
  kind: "stuck_input"
  /**
   * Key of the input.
   */
  input: ("d0" | "d1" | "d2" | "d3" | "a0" | "a1" | "ee_d0" | "ee_d1" | "ee_a0" | "ee_a1")
}
/**
 * An update fails: the version does not change.
 */
export interface UpdateFaultBody {
  /**
   * Always `update_failure`.
   */
  kind: "update_failure"
  /**
   * How often the fault acts before it is removed; absent: until cleared. 1 to 1000000.
   */
  times?: number
}
/**
 * Planning takes longer.
 */
export interface SlowPlannerFaultBody {
  /**
   * Always `slow_planner`.
   */
  kind: "slow_planner"
  /**
   * Additional wall time of each plan (s). 0 to 600 s.
   */
  delay_s: number
  /**
   * How often the fault acts before it is removed; absent: until cleared. 1 to 1000000.
   */
  times?: number
}
/**
 * Planning fails with generation_error.
 */
export interface FailingPlannerFaultBody {
  /**
   * Always `failing_planner`.
   */
  kind: "failing_planner"
  /**
   * How often the fault acts before it is removed; absent: until cleared. 1 to 1000000.
   */
  times?: number
}
/**
 * A call is executed, but its reply is delayed or dropped.
 */
export interface ReplyFaultBody {
  /**
   * Always `reply`.
   */
  kind: "reply"
  /**
   * A trailing * matches any suffix.
   */
  path: string
  /**
   * HTTP method.
   */
  method?: ("GET" | "POST" | "PUT" | "DELETE" | "OPTIONS" | "HEAD" | "PATCH")
  /**
   * What happens to the message.
   */
  effect: ("drop" | "delay")
  /**
   * Wall time (s); with `delay`. 0 to 600 s.
   */
  delay_s?: number
  /**
   * How often the fault acts before it is removed; absent: until cleared. 1 to 1000000.
   */
  times?: number
  /**
   * Probability with which it acts; default 1.
   */
  chance?: number
  /**
   * Seed of the random draw when the probability is below 1. 0 to 4294967295.
   */
  seed?: number
}
/**
 * Messages of the event stream are delayed or dropped; without `message` all types.
 */
export interface StreamFaultBody {
  /**
   * Always `stream`.
   */
  kind: "stream"
  /**
   * Text for people.
   */
  message?: ("user_created" | "user_updated" | "user_deleted" | "toolpath_created" | "toolpath_updated" | "toolpath_shared" | "toolpath_deleted" | "lock_status" | "backdriving" | "state_change" | "config_change" | "update_in_progress")
  /**
   * What happens to the message.
   */
  effect: ("drop" | "delay")
  /**
   * Wall time (s); with `delay`. 0 to 600 s.
   */
  delay_s?: number
  /**
   * How often the fault acts before it is removed; absent: until cleared. 1 to 1000000.
   */
  times?: number
  /**
   * Probability with which it acts; default 1.
   */
  chance?: number
  /**
   * Seed of the random draw when the probability is below 1. 0 to 4294967295.
   */
  seed?: number
}
/**
 * The connections of clients fail below HTTP, for calls and messages of `/api`, `/workflow/v1` and the page: never for `/sim/v1`, nor for a call with the header `X-Armtwin-Control`.
 */
export interface ConnectionFaultBody {
  /**
   * Always `connection`.
   */
  kind: "connection"
  /**
   * `slow`: replies and messages come late or thinly; `reset`: the connection is reset by the next call, which does not take effect, or by the next message; `half_open`: from the next call or message on nothing passes in either direction, and the connection stays open until the client closes it or the fault ends, which resets it.
   */
  effect: ("slow" | "reset" | "half_open")
  /**
   * Acts on the calls and streams of this user; absent: of everybody, with log-ins.
   */
  user_id?: number
  /**
   * Latency of each reply and message (s of wall time); with `slow`. 0 to 600 s.
   */
  delay_s?: number
  /**
   * Most that a seeded draw adds to the latency (s); with `slow`. 0 to 600 s.
   */
  jitter_s?: number
  /**
   * Bandwidth of each connection to its client (bytes/s); with `slow`. 100 to 1000000000 s.
   */
  rate_bytes_s?: number
  /**
   * How often the fault acts before it is removed; absent: until cleared. 1 to 1000000.
   */
  times?: number
  /**
   * Probability with which it acts on a call or a message; default 1.
   */
  chance?: number
  /**
   * Seed of the draws of chance and jitter; default 0. 0 to 4294967295.
   */
  seed?: number
}
/**
 * Writes to the data folder fail.
 */
export interface DiskFullFaultBody {
  /**
   * Always `disk_full`.
   */
  kind: "disk_full"
}
/**
 * A gripper of the cell fails.
 */
export interface GripperFaultBody {
  /**
   * Always `gripper`.
   */
  kind: "gripper"
  /**
   * Name of the gripper, or what it holds.
   */
  gripper: Name
  /**
   * `jammed`: it does not move; `slips`: it loses its force `after_s` after a grasp; `leaks`: the vacuum of a cup falls evenly to nothing in `after_s` after a grasp.
   */
  fault: ("jammed" | "slips" | "leaks")
  /**
   * Time from the grasp (s); default 1. 0.001 to 3600 s.
   */
  after_s?: number
}
/**
 * An object of the cell is not where it should be.
 */
export interface ObjectFaultBody {
  /**
   * Always `object`.
   */
  kind: "object"
  /**
   * Name of the object.
   */
  object: Name
  /**
   * `missing`: it is not there until the fault is cleared; `misplaced`: it is shifted once, by a drawn offset.
   */
  fault: ("missing" | "misplaced")
  /**
   * Greatest offset in x and in y (mm); default 10. 0 to 1000 mm.
   */
  spread_mm?: number
  /**
   * Seed of the drawn offset; default 0. 0 to 4294967295.
   */
  seed?: number
}
/**
 * A sensor of the cell fails.
 */
export interface CellSensorFaultBody {
  /**
   * Always `sensor`.
   */
  kind: "sensor"
  /**
   * Name of the sensor.
   */
  sensor: Name
  /**
   * `stuck`: it keeps its value; `late`: it reports `late_s` later.
   */
  fault: ("stuck" | "late")
  /**
   * Additional delay (s); default 1. 0 to 3600 s.
   */
  late_s?: number
}
/**
 * A conveyor of the cell stands still, whatever its output.
 */
export interface ConveyorFaultBody {
  /**
   * Always `conveyor`.
   */
  kind: "conveyor"
  /**
   * Name of the conveyor.
   */
  conveyor: Name
}
export interface SimFault {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * How often the fault has acted; one that acts as long as it lasts has acted once from its start.
   */
  acted: number
  /**
   * The fault to inject.
   */
  fault: AddFaultBody
}
export interface FaultReply {
  /**
   * The fault; null without one.
   */
  fault: SimFault
}
export interface FaultsReply {
  /**
   * The injected faults that are active.
   */
  faults: SimFault[]
}
/**
 * The situation to begin. Each takes some of the fields, which GET lists; the others are refused.
 */
export interface SituationBody {
  /**
   * The name of a situation.
   */
  name: SituationName
  /**
   * The user whose network fails, default everybody; who steals the lock, default another user than its holder, or the same one with another log-in.
   */
  user_id?: number
  /**
   * Latency of a slow network, default 0.3, or what a slow planner adds, default 2 (s of wall time). 0 to 600 s.
   */
  delay_s?: number
  /**
   * The gripper that jams; default the first of the cell.
   */
  gripper?: Name
  /**
   * The middle of the person (m); default the first free place around the arm, in front of it first. GET /sim/v1/obstacles has it, under the name person.
   */
  position?: Vector
  /**
   * The joint whose drive fails; default 2. 0 to 5.
   */
  joint?: number
}
export interface Situation {
  /**
   * The name of a situation.
   */
  name: SituationName
  /**
   * What happens, in a sentence.
   */
  does: string
  /**
   * The fields that it takes.
   */
  parameters: string[]
  /**
   * Whether it has begun and lasts.
   */
  active: boolean
  /**
   * Whether it can begin as things stand.
   */
  possible: boolean
  /**
   * Why it cannot, with what to do.
   */
  hindrance: (string | null)
}
export interface SituationReply {
  /**
   * As it is now that it has begun.
   */
  situation: Situation
}
export interface SituationsReply {
  /**
   * All that have a name, active or not.
   */
  situations: Situation[]
}
export interface ChangeConfigBody {
  /**
   * Kind; decides the other fields.
   */
  kind: ("network" | "time" | "network_fallback")
  /**
   * Text for people.
   */
  message: string
}
export interface Approximation {
  /**
   * What is simulated.
   */
  what: string
  /**
   * How it is approximated.
   */
  how: string
}
export interface JointRange {
  /**
   * Lowest angle of each joint (rad).
   *
   * @minItems 6
   * @maxItems 6
   */
  min_rad: [number, number, number, number, number, number]
  /**
   * Highest angle of each joint (rad).
   *
   * @minItems 6
   * @maxItems 6
   */
  max_rad: [number, number, number, number, number, number]
}
export interface FidelityReply {
  /**
   * What the simulation leaves out.
   */
  not_there: Approximation[]
  /**
   * What the simulation only approximates.
   */
  approximate: Approximation[]
  /**
   * How far the simulated arm deviates from an ideal one; null for a real arm.
   */
  realism: (("ideal" | "typical" | "worn") | null)
  /**
   * The profile of an arm by which the simulated arm moves; null without one.
   */
  profile: (ArmProfile | null)
  /**
   * The range that motions and checks keep to: that of the model, or of a real arm where its calibration or servos allow less.
   */
  joint_range: JointRange
}
/**
 * A line of the robot log.
 */
export interface SimLogEvent {
  /**
   * Always `log`.
   */
  type: "log"
  /**
   * How serious it is.
   */
  level: ("info" | "warning" | "error")
  /**
   * Text for people.
   */
  text: string
  /**
   * Tick of the control loop: 4 ms of twin time each.
   */
  tick: number
}
/**
 * The current contacts; sent when a contact starts or ends.
 */
export interface SimTouchingEvent {
  /**
   * Always `touching`.
   */
  type: "touching"
  /**
   * Bodies that touch now.
   */
  touches: {
    /**
     * Link of the arm; 7 is the tool, 8 the carried load, 9 the gripper of a cell.
     */
    link: number
    /**
     * The obstacle.
     */
    obstacle: string
    /**
     * Force. In N.
     */
    force_n: number
  }[]
}
/**
 * The owner of the robot lock and its remaining time; sent on changes and once a second.
 */
export interface SimLockEvent {
  /**
   * Always `lock`.
   */
  type: "lock"
  /**
   * Who holds the lock; null while it is free.
   */
  holder: (null | {
    /**
     * Id of the user.
     */
    user_id: number
    /**
     * Role of the user.
     */
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
  /**
   * Always `clock`.
   */
  type: "clock"
  /**
   * The simulated time and its pace.
   */
  clock: SimClock
}
/**
 * The status; sent on changes, each 0.1 s of simulated time during an activity and while the arm leaves a contact, and each second at rest.
 */
export interface SimStatusEvent {
  /**
   * Always `status`.
   */
  type: "status"
  /**
   * State of the robot with its cause, and the progress of its activity.
   */
  status: SimStatus
}
/**
 * A statement about state and motion that does not hold: a bug of the twin.
 */
export interface SimViolationEvent {
  /**
   * Always `violation`.
   */
  type: "violation"
  /**
   * The statement that did not hold.
   */
  statement: string
  /**
   * What was published.
   */
  left: string
  /**
   * What contradicts it.
   */
  right: string
  /**
   * Tick of the control loop: 4 ms of twin time each.
   */
  tick: number
}
/**
 * What the present step waits for.
 */
export interface SimWaiting {
  /**
   * What has to hold.
   */
  condition: WaitCondition
  /**
   * Simulated time at which the wait began. In s.
   */
  since_s: number
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
 * The present run, home or go_to, and its progress in simulated time.
 */
export interface SimActivity {
  /**
   * Kind; decides the other fields.
   */
  kind: ("run" | "home" | "go_to")
  /**
   * Teach mode is slow and requires a renewed lock; automatic mode does not.
   */
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
   * Planned time to the end of the loop (s). Waits for signals count as zero; branches follow the present signals. The return to the home waypoint belongs to the loop that follows it.
   */
  loop_remaining_s: number
  /**
   * True while a run goes to the home waypoint: before its first loop, and between two loops where the loop ends elsewhere. No action of the toolpath is executed then, and step is null.
   */
  to_start: boolean
  /**
   * The action that is executed; null in home and go_to, and during the motion to the home waypoint.
   */
  step: (SimStep | null)
  /**
   * What the present step waits for.
   */
  waiting: (SimWaiting | null)
}
/**
 * State of the robot with its cause, and the progress of its activity.
 */
export interface SimStatus {
  /**
   * Tick of the control loop: 4 ms of twin time each.
   */
  tick: number
  /**
   * Simulated time since the start (s).
   */
  now_s: number
  /**
   * State.
   */
  state: RobotStateName
  /**
   * Simulated time at which the state was entered, or the twin restored. In s.
   */
  state_since_s: number
  /**
   * Cause of the state `error`.
   */
  error: (string | null)
  /**
   * The fault of the joints behind the state `error`, as the driver reports it.
   */
  fault: (null | {
    /**
     * Kind; decides the other fields.
     */
    kind: ("lost" | "overheated" | "overload" | "encoder" | "following_error" | "voltage" | "stale" | "bus")
    /**
     * Null when no single joint is the cause. 0 to 5.
     */
    joint: (number | null)
  })
  /**
   * Faults after the cause, each once, until the errors are reset.
   */
  later_errors: string[]
  /**
   * Source of the emergency stop; null while it is released.
   */
  emergency_stop: ("simulated" | "wired" | null)
  /**
   * How the latest emergency stop of a motion kept its path; null before the first.
   */
  last_stop: (SimStop | null)
  /**
   * The joint that felt the contact behind the state `collision`; null in other states, and after a restore.
   */
  contact: ({
    /**
     * Joint number from the base. 0 to 5.
     */
    joint: number
    /**
     * Whether it fell behind its goal without a torque that shows a contact: too much load at this speed does the same.
     */
    lags: boolean
  } | null)
  /**
   * Joint at which a collision is reported while collision detection is off. 0 to 5.
   */
  ignored_contact_joint: (number | null)
  /**
   * What the arm does about a contact, until it is acknowledged or reset; null without one, and for drivers that report none.
   */
  reaction: (SimReaction | null)
  /**
   * The present run, home or go_to, and its progress in simulated time.
   */
  activity: (SimActivity | null)
}
/**
 * An emergency stop of a motion. It keeps to the path where the limits of the joints allow it in 1.1 times the time that the joints need by themselves.
 */
export interface SimStop {
  /**
   * From the first setpoint of the stop to the last (s).
   */
  duration_s: number
  /**
   * Largest distance of the flange from the path, by the setpoints (m).
   */
  deviation_m: number
  /**
   * Joints that leave the path and brake by themselves.
   */
  joints: number[]
}
/**
 * What the arm does about a contact until the external force is below 10 N. Forces are estimates from the torques of the joints.
 */
export interface SimReaction {
  /**
   * `giving way` lasts as long as something pushes that the arm cannot leave.
   */
  phase: ("braking" | "retreating" | "giving way" | "holding")
  /**
   * Estimated external force at the touching place (N).
   */
  force_n: number
  /**
   * Its largest value since the contact (N).
   */
  peak_n: number
  /**
   * How far the fastest joint went back along the way that the arm came (rad).
   */
  retreated_rad: number
  /**
   * How far the fastest joint gave way to the force (rad).
   */
  yielded_rad: number
  /**
   * How often the held arm gave way again because something pressed it.
   */
  relieved: number
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
  /**
   * Name for people.
   */
  name: Name
  /**
   * API token.
   */
  token: string
}
/**
 * Identified by e-mail; created or updated.
 */
export interface SeedUser {
  /**
   * E-mail address, the name for logging in.
   */
  email: string
  /**
   * Password.
   */
  password?: string
  /**
   * Role of the user.
   */
  role?: Role
  /**
   * An API token with a given secret.
   */
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
  /**
   * Name for people.
   */
  name: Name
  /**
   * The toolpath (toolpath.json#/$defs/Toolpath), in format 1 or 2; also a record with one, and the base64 text that the arm's editor exports.
   */
  toolpath: object | string
}
/**
 * Initial data of a twin. Applying a seed is idempotent; omitted parts stay unchanged.
 */
export interface SeedBody {
  /**
   * The arm that the seed is for, as --arm names it: a twin of another arm refuses it. Absent: any.
   */
  arm?: Name
  /**
   * Name for people.
   */
  name?: Name
  /**
   * Pace of the clock.
   */
  clock?: {
    /**
     * Simulated seconds per wall second, `max` or `stepped`.
     */
    pace?: PaceName
    /**
     * Whether time stands still.
     */
    paused?: boolean
    /**
     * The simulated date to set.
     */
    date?: string
  }
  /**
   * Identified by e-mail; created or updated.
   */
  users?: SeedUser[]
  /**
   * Identified by owner and name; saved or updated.
   */
  toolpaths?: SeedToolpath[]
  /**
   * Name of the toolpath to load.
   */
  selected?: Name
  /**
   * Six joint angles in radians; all zeros is the upright pose.
   */
  pose?: Joints
  /**
   * State.
   */
  state?: RobotStateName
  /**
   * How far the simulated arm deviates from an ideal one.
   */
  realism?: ("ideal" | "typical" | "worn")
  /**
   * Makes the simulated arm like the one that armtwin fit has measured.
   */
  profile?: ArmProfile
  /**
   * Values of the inputs, by key.
   */
  inputs?: {
    /**
     * Digital signal 0 of the base.
     */
    d0?: boolean
    /**
     * Digital signal 1 of the base.
     */
    d1?: boolean
    /**
     * Digital signal 2 of the base.
     */
    d2?: boolean
    /**
     * Digital signal 3 of the base.
     */
    d3?: boolean
    /**
     * V or mA, according to the mode.
     */
    a0?: number
    /**
     * V or mA, according to the mode.
     */
    a1?: number
    /**
     * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
     */
    a0_mode?: AnalogMode
    /**
     * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
     */
    a1_mode?: AnalogMode
    /**
     * Digital signal 0 of the end effector.
     */
    ee_d0?: boolean
    /**
     * Digital signal 1 of the end effector.
     */
    ee_d1?: boolean
    /**
     * Analog input of the end effector (V).
     */
    ee_a0?: number
    /**
     * Analog input of the end effector (V).
     */
    ee_a1?: number
  }
  /**
   * Values of the outputs, by key.
   */
  outputs?: {
    /**
     * Digital signal 0 of the base.
     */
    d0?: boolean
    /**
     * Digital signal 1 of the base.
     */
    d1?: boolean
    /**
     * Digital signal 2 of the base.
     */
    d2?: boolean
    /**
     * Digital signal 3 of the base.
     */
    d3?: boolean
    /**
     * Analog signal 0 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.
     */
    a0?: number
    /**
     * Analog signal 1 of the base: 0 to 10 V, or 4 to 20 mA, by its mode.
     */
    a1?: number
    /**
     * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
     */
    a0_mode?: AnalogMode
    /**
     * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
     */
    a1_mode?: AnalogMode
    /**
     * Digital signal 0 of the end effector.
     */
    ee_d0?: boolean
    /**
     * Digital signal 1 of the end effector.
     */
    ee_d1?: boolean
  }
  /**
   * An input that follows an output of its own kind.
   */
  loopback?: Wire[]
  /**
   * A box that the controller does not know about.
   */
  obstacles?: AddObstacleBody[]
  /**
   * The things around the arm. Lengths in m, robot frame; every name is unique in the cell.
   */
  cell?: Cell
}
export interface NamedStateBody {
  /**
   * Name for people.
   */
  name: Name
}
export interface NamedState {
  /**
   * Name for people.
   */
  name: Name
  /**
   * Tick of the control loop: 4 ms of twin time each.
   */
  tick: number
  /**
   * State.
   */
  state: RobotStateName
}
export interface NamedStateReply {
  /**
   * State.
   */
  state: NamedState
}
export interface NamedStatesReply {
  /**
   * The named snapshots.
   */
  states: NamedState[]
}
/**
 * A snapshot as a file, for backup or for another twin with the same driver.
 */
export interface StateFile {
  /**
   * Always `1`.
   */
  format: 1
  /**
   * Name for people.
   */
  name: Name
  /**
   * SHA-256 of the content, as hex.
   */
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
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * HTTP method.
   */
  method: string
  /**
   * Path of the value or of the call.
   */
  path: string
  /**
   * Id of the user.
   */
  user_id: (null | number)
  /**
   * SHA-256 of the canonical JSON of the body (RFC 8785).
   */
  body_sha256: (null | string)
  /**
   * Status.
   */
  status: number
  /**
   * Duration. In ms.
   */
  duration_ms: number
  /**
   * Tick of the control loop: 4 ms of twin time each.
   */
  tick: number
}
/**
 * Filter; empty: all calls.
 */
export interface JournalSearchBody {
  /**
   * HTTP method.
   */
  method?: ("GET" | "POST" | "PUT" | "DELETE" | "OPTIONS" | "HEAD" | "PATCH")
  /**
   * A trailing * matches any suffix.
   */
  path?: string
  /**
   * Id of the user.
   */
  user_id?: number
  /**
   * Status. 100 to 599.
   */
  status?: number
  /**
   * Most entries of the reply. 1 to 1000.
   */
  limit?: number
}
export interface JournalReply {
  /**
   * One completed call.
   */
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
  /**
   * HTTP method.
   */
  method: ("GET" | "POST" | "PUT" | "DELETE" | "OPTIONS" | "HEAD" | "PATCH")
  /**
   * A trailing * matches any suffix.
   */
  path: string
  /**
   * Id of the user.
   */
  user_id?: number
  /**
   * Status. 100 to 599.
   */
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
  /**
   * One completed call.
   */
  entry: JournalEntry
  /**
   * Fields in which the call differs from the expected one.
   */
  differs: ("method" | "path" | "user_id" | "status" | "body")[]
}
export interface JournalVerifyReply {
  /**
   * What it holds, or whether the expectation holds.
   */
  holds: boolean
  /**
   * Number of calls that match.
   */
  matched: number
  /**
   * A near miss of the expected call.
   */
  near_misses: NearMiss[]
}
/**
 * The status and the length of the recording.
 */
export interface RecordingReply {
  /**
   * Whether the twin records.
   */
  recording: boolean
  /**
   * Size of the recording so far (bytes).
   */
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
 * A run of a toolpath that the twin keeps: how it ended, and what it can be replayed from.
 */
export interface RobotRun {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Name of the toolpath.
   */
  name: string
  /**
   * Hash of the loaded toolpath; empty without one.
   */
  toolpath_hash: string
  /**
   * Simulated date and time of its start.
   */
  started_at: string
  /**
   * Tick of its start.
   */
  tick: number
  /**
   * Simulated time up to its end, or up to now (s).
   */
  duration_s: number
  /**
   * How it ended, or `running`.
   */
  outcome: RobotRunOutcome
  /**
   * Contacts of the arm that started in the run.
   */
  contacts: number
  /**
   * Changes of inputs and outputs.
   */
  signals: number
  /**
   * The user who held the lock at its start; null: nobody.
   */
  user_id: (number | null)
  /**
   * The faults that were injected at its start.
   */
  faults: AddFaultBody[]
  /**
   * Whether it can be replayed; not when it had too many commands.
   */
  replayable: boolean
}
/**
 * A saved toolpath with what the arm's API does not report.
 */
export interface ToolpathEntry {
  /**
   * Id; unique among objects of its kind.
   */
  id: ToolpathId
  /**
   * Name for people.
   */
  name: string
  /**
   * SHA-256 in hexadecimal of the canonical JSON of the toolpath.
   */
  hash: ToolpathHash
  /**
   * Simulated date and time of its last save, UTC.
   */
  modified_at: string
  /**
   * Size of its JSON text.
   */
  bytes: number
}
export interface ToolpathEntriesReply {
  /**
   * The oldest first.
   */
  toolpaths: ToolpathEntry[]
}
export interface RobotRunsReply {
  /**
   * Whether this arm's runs are kept: those of servos, which cannot be simulated again, are not.
   */
  kept: boolean
  /**
   * The latest run first.
   */
  runs: RobotRun[]
}
/**
 * What changes, and when; without a change the run is replayed as it was.
 */
export interface ReplayRunBody {
  /**
   * When the change happens (s after the start of the run); absent: at the start.
   */
  at_s?: number
  /**
   * The fault to inject.
   */
  fault?: AddFaultBody
  /**
   * The toolpath.
   */
  toolpath?: Toolpath
}
/**
 * The replayed run, which the twin itself does not take part in.
 */
export interface ReplayRunReply {
  /**
   * How it ended, or `running`.
   */
  outcome: RobotRunOutcome
  /**
   * Simulated time of the run, without what is shown of the time after it (s).
   */
  duration_s: number
  /**
   * Changes of inputs and outputs.
   */
  signals: number
  /**
   * Contacts, and errors of the robot, in words.
   */
  findings: string[]
  /**
   * The toolpath that ran, as JSON text; null for who has no such toolpath saved and is no admin.
   */
  toolpath: (string | null)
  /**
   * The motion as JSON text, the document of an exported page.
   */
  recording: string
}
/**
 * The servo of a joint that responds.
 */
export interface ServoReading {
  /**
   * Joint number from the base. 0 to 5.
   */
  joint: number
  /**
   * Id on the bus. 0 to 252.
   */
  id: number
  /**
   * Name of the servo model.
   */
  model: string
  /**
   * Temperature (°C).
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
   * Joint number from the base. 0 to 5.
   */
  joint: number
  /**
   * Position. In rad.
   */
  position_rad: number
  /**
   * Torque. In N·m.
   */
  torque_n_m: number
  /**
   * Root mean square of the difference of the position. In rad.
   */
  position_rms_rad: number
  /**
   * Largest difference of the position. In rad.
   */
  position_max_rad: number
  /**
   * Root mean square of the difference of the torque. In N·m.
   */
  torque_rms_n_m: number
  /**
   * Largest difference of the torque. In N·m.
   */
  torque_max_n_m: number
}
/**
 * The fault that prevents motion.
 */
export interface DriverFault {
  /**
   * Kind; decides the other fields.
   */
  kind: string
  /**
   * The joint that caused it, or null. 0 to 5.
   */
  joint: (number | null)
  /**
   * Text for people.
   */
  message: string
}
/**
 * The servo of a gripper, which an output commands.
 */
export interface GripperReading {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Name of the servo model.
   */
  model: string
  /**
   * Temperature. In °C.
   */
  temperature_c: number
  /**
   * Supply (V).
   */
  voltage_v: number
  /**
   * Current (A), positive where its positions grow.
   */
  current_a: number
  /**
   * How far it is open: 0 shut, 1 open.
   */
  opening: number
  /**
   * Whether it closes or is closed, as its output says.
   */
  closes: boolean
  /**
   * Whether it grips something, by its current short of its end.
   */
  part_present: boolean
  /**
   * Key of the output that closes it.
   */
  output: string
  /**
   * Key of the input that is on while it grips something.
   */
  part_present_input: string
}
/**
 * The status of an arm with servos.
 */
export interface ServosReply {
  /**
   * Name of the joint driver.
   */
  driver: string
  /**
   * The fault that prevents motion.
   */
  fault: (DriverFault | null)
  /**
   * The servo bus.
   */
  bus: BusReading
  /**
   * All servos, from the base on; a joint may have several.
   */
  servos: ServoReading[]
  /**
   * The servo of the gripper; absent where none is driven.
   */
  gripper?: GripperReading
  /**
   * Deviations from the model; null without a model, and while it is not compared: in a fault, after a contact and in guiding by hand.
   */
  mirror: ([JointDifference, JointDifference, JointDifference, JointDifference, JointDifference, JointDifference] | null)
}
export interface Toolpath {
  /**
   * Version, defaults, tool and zones.
   */
  metadata: ToolpathMetadata
  /**
   * Actions in the order in which they are executed.
   */
  timeline: Timeline
  /**
   * A pose; its index in the array is its waypoint_id.
   */
  waypoints: Waypoint[]
  /**
   * Timelines that actions call by name.
   */
  routines?: Routine[]
}
/**
 * A pose; its index in the array is its waypoint_id.
 */
export interface Waypoint {
  /**
   * Unique among waypoints.
   */
  label_id: number
  /**
   * What the arm's editor shows for label_id; kept as it is.
   */
  label_text?: string
  /**
   * Name of the waypoint, at most 16 characters.
   */
  label?: string
  /**
   * Six joint angles in radians; all zeros is the upright pose.
   */
  joints: Joints
}
export interface Routine {
  /**
   * Name for people.
   */
  name: Name
  /**
   * Actions in the order in which they are executed.
   */
  timeline: Timeline
}
export interface ToolpathMetadata {
  /**
   * Version of the toolpath format.
   */
  version: 2
  /**
   * Speed of the tool point (m/s); limited to the maximum of the mode.
   */
  default_max_speed: Speed
  /**
   * Modes of the base analog inputs and outputs.
   */
  analog_modes: AnalogModes
  /**
   * The next free label_id.
   */
  next_label_id: number
  /**
   * Payload for the toolpath (kg). 0 to 1.25.
   */
  payload: number
  /**
   * Output to set when an error occurs while the toolpath runs.
   */
  output_on_error?: OutputOnError
  /**
   * The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.
   */
  tcp_config?: TcpConfig
  /**
   * At most ten zones with unique names.
   */
  avoidance_zones?: AvoidanceZones
}
/**
 * Modes of the base analog inputs and outputs.
 */
export interface AnalogModes {
  /**
   * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
   */
  i0: AnalogMode
  /**
   * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
   */
  i1: AnalogMode
  /**
   * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
   */
  o0: AnalogMode
  /**
   * Signal of an analog line: 0 to 10 V or 4 to 20 mA.
   */
  o1: AnalogMode
}
/**
 * Output to set when an error occurs while the toolpath runs.
 */
export interface OutputOnError {
  /**
   * Always `output-set`.
   */
  type?: "output-set"
  /**
   * One input or output: base digital 0 to 3, every other kind 0 to 1.
   */
  io: IoAddress
  /**
   * Boolean for digital, number for analog.
   */
  value: IoValue
}
/**
 * The start position: once, in the root timeline, before any trajectory.
 */
export interface HomeAction {
  /**
   * Always `home`.
   */
  type: "home"
  /**
   * Index into waypoints.
   */
  waypoint_id: WaypointIndex
}
/**
 * A move to a waypoint, or, with pass_through, a waypoint that the next move passes.
 */
export interface TrajectoryAction {
  /**
   * Always `trajectory`.
   */
  type: "trajectory"
  /**
   * Index into waypoints.
   */
  waypoint_id: WaypointIndex
  /**
   * Whether the motion goes on without a stop at the waypoint.
   */
  pass_through?: boolean
  /**
   * Kind of the motion.
   */
  trajectory?: ("joint_space" | "linear" | "spline")
  /**
   * A duration (s), above 0.
   */
  time?: Seconds
  /**
   * Speed of the tool point (m/s); limited to the maximum of the mode.
   */
  max_speed?: Speed
}
export interface OutputSetAction {
  /**
   * Always `output-set`.
   */
  type: "output-set"
  /**
   * One input or output: base digital 0 to 3, every other kind 0 to 1.
   */
  io: IoAddress
  /**
   * Boolean for digital, number for analog.
   */
  value: IoValue
}
/**
 * The robot holds its position until the condition is valid.
 */
export interface WaitAction {
  /**
   * Always `wait`.
   */
  type: "wait"
  /**
   * What has to hold.
   */
  condition: WaitCondition
}
/**
 * Restarts the toolpath; only at the end of an if branch.
 */
export interface RestartAction {
  /**
   * Always `restart`.
   */
  type: "restart"
}
/**
 * A grid; the robot runs its timeline once per cell.
 */
export interface GridAction {
  /**
   * Always `grid`.
   */
  type: "grid"
  /**
   * Number of cells along the first side of the grid. 1 to 10000.
   */
  cols: number
  /**
   * Number of cells along the second side of the grid. 1 to 10000.
   */
  rows: number
  /**
   * Index into waypoints.
   */
  w0: WaypointIndex
  /**
   * Index into waypoints.
   */
  wx: WaypointIndex
  /**
   * Index into waypoints.
   */
  wy: WaypointIndex
  /**
   * Actions in the order in which they are executed.
   */
  timeline: Timeline
}
/**
 * A move to the current cell of the enclosing grid.
 */
export interface GridWaypointAction {
  /**
   * Always `grid-waypoint`.
   */
  type: "grid-waypoint"
  /**
   * Distance from the plane of the grid (m), positive above it; absent: 0. -100 to 100.
   */
  z_offset?: number
  /**
   * A duration (s), above 0.
   */
  time?: Seconds
  /**
   * Speed of the tool point (m/s); limited to the maximum of the mode.
   */
  max_speed?: Speed
}
/**
 * Takes the first branch whose condition is valid, or none.
 */
export interface IfAction {
  /**
   * Always `if`.
   */
  type: "if"
  /**
   * Alternatives, tried in order; the first whose condition holds is run.
   */
  branches: IfBranch[]
}
export interface IfBranch {
  /**
   * What has to hold.
   */
  condition: TestCondition
  /**
   * Actions in the order in which they are executed.
   */
  timeline: Timeline
}
/**
 * Runs a routine completely; routine or name contains its name.
 */
export interface CallRoutineAction {
  /**
   * Always `call-routine`.
   */
  type: "call-routine"
  /**
   * Name of the routine.
   */
  routine?: Name
  /**
   * Name for people.
   */
  name?: Name
}
export interface TimeCondition {
  /**
   * Always `time`.
   */
  type: "time"
  /**
   * A duration (s), above 0.
   */
  duration: Seconds
}
export interface InputCondition {
  /**
   * Always `input`.
   */
  type: "input"
  /**
   * One input or output: base digital 0 to 3, every other kind 0 to 1.
   */
  io: IoAddress
  /**
   * How the value is compared.
   */
  operator?: Operator
  /**
   * Bounds of an analog value; the operator decides which of them are needed.
   */
  thresholds?: Thresholds
  /**
   * Boolean for digital, number for analog.
   */
  value?: IoValue
}
export interface OutputCondition {
  /**
   * Always `output-test`.
   */
  type: "output-test"
  /**
   * One input or output: base digital 0 to 3, every other kind 0 to 1.
   */
  io: IoAddress
  /**
   * How the value is compared.
   */
  operator?: Operator
  /**
   * Bounds of an analog value; the operator decides which of them are needed.
   */
  thresholds?: Thresholds
  /**
   * Boolean for digital, number for analog.
   */
  value?: IoValue
}
/**
 * Bounds of an analog value; the operator decides which of them are needed.
 */
export interface Thresholds {
  /**
   * Upper threshold.
   */
  upper?: number
  /**
   * Lower threshold.
   */
  lower?: number
}
/**
 * A saved toolpath without its content.
 */
export interface ToolpathHead {
  /**
   * Id; unique among objects of its kind.
   */
  id: ToolpathId
  /**
   * Name for people.
   */
  name: string
  /**
   * SHA-256 in hexadecimal of the canonical JSON of the toolpath.
   */
  hash: ToolpathHash
}
export interface ToolpathsReply {
  /**
   * A saved toolpath without its content.
   */
  toolpaths: ToolpathHead[]
}
export interface ToolpathStatusReply {
  /**
   * Status.
   */
  status: ("toolpath created" | "toolpath updated" | "toolpath deleted")
  /**
   * A saved toolpath without its content.
   */
  toolpath: ToolpathHead
}
export interface StoredToolpath {
  /**
   * Id; unique among objects of its kind.
   */
  id: ToolpathId
  /**
   * Name for people.
   */
  name: string
  /**
   * SHA-256 in hexadecimal of the canonical JSON of the toolpath.
   */
  hash: ToolpathHash
  /**
   * The toolpath.
   */
  toolpath: Toolpath
}
export interface ToolpathReply {
  /**
   * The toolpath.
   */
  toolpath: StoredToolpath
}
export interface BuiltToolpath {
  /**
   * Id; unique among objects of its kind.
   */
  id: ToolpathId
  /**
   * Name for people.
   */
  name: string
  /**
   * SHA-256 in hexadecimal of the canonical JSON of the toolpath.
   */
  hash: ToolpathHash
  /**
   * The toolpath.
   */
  toolpath: Toolpath
  /**
   * An error with a timeline is soft; an error without a timeline is hard.
   */
  trajectory: Trajectory
}
export interface BuiltToolpathReply {
  /**
   * The toolpath.
   */
  toolpath: BuiltToolpath
}
export interface SharedToolpath {
  /**
   * Always `-1`.
   */
  id: -1
  /**
   * Name for people.
   */
  name: string
  /**
   * SHA-256 in hexadecimal of the canonical JSON of the toolpath.
   */
  hash: ToolpathHash
  /**
   * Id of the sharing user.
   */
  sharer: number
}
/**
 * The toolpath that another user shared last with the caller.
 */
export interface ReceivedToolpath {
  /**
   * Always `-1`.
   */
  id: -1
  /**
   * Name for people.
   */
  name: string
  /**
   * SHA-256 in hexadecimal of the canonical JSON of the toolpath.
   */
  hash: ToolpathHash
  /**
   * Id of the sharing user.
   */
  sharer: number
  /**
   * The toolpath.
   */
  toolpath: Toolpath
}
export interface ReceivedToolpathReply {
  /**
   * The toolpath that another user shared last with the caller.
   */
  toolpath: ReceivedToolpath
}
export interface SharedToolpathReply {
  /**
   * Always `toolpath shared`.
   */
  status: "toolpath shared"
  /**
   * The toolpath.
   */
  toolpath: SharedToolpath
}
export interface HashedToolpath {
  /**
   * SHA-256 in hexadecimal of the canonical JSON of the toolpath.
   */
  hash: ToolpathHash
}
export interface CalcToolpathReply {
  /**
   * The toolpath.
   */
  toolpath: HashedToolpath
  /**
   * An error with a timeline is soft; an error without a timeline is hard.
   */
  trajectory: Trajectory
}
export interface MigratedToolpath {
  /**
   * SHA-256 in hexadecimal of the canonical JSON of the toolpath.
   */
  hash: ToolpathHash
  /**
   * The toolpath.
   */
  toolpath: Toolpath
}
export interface MigrateToolpathReply {
  /**
   * The toolpath.
   */
  toolpath: MigratedToolpath
  /**
   * Changes that alter what the toolpath does.
   */
  breaking_changes: string[]
}
/**
 * A toolpath of any format.
 */
export interface OldToolpath {
  [k: string]: unknown
}
export interface SaveToolpathBody {
  /**
   * Name for people.
   */
  name: Name
  /**
   * The toolpath.
   */
  toolpath: Toolpath
}
export interface ShareToolpathBody {
  /**
   * Name for people.
   */
  name: Name
  /**
   * Id of the user.
   */
  user_id: number
  /**
   * The toolpath.
   */
  toolpath: Toolpath
}
export interface CalcToolpathBody {
  /**
   * The toolpath.
   */
  toolpath: Toolpath
}
export interface UseToolpathBody {
  /**
   * Name for people.
   */
  name?: Name
  /**
   * The toolpath.
   */
  toolpath: Toolpath
}
export interface MigrateToolpathBody {
  /**
   * A toolpath of any format.
   */
  toolpath: OldToolpath
}
/**
 * An error with a timeline is soft; an error without a timeline is hard.
 */
export interface Trajectory {
  /**
   * What was wrong.
   */
  error?: string
  /**
   * Approximate execution time of one loop (s), from the home waypoint to the end of the timeline: no branch is taken, waits for inputs and outputs count as zero. The way to the home waypoint is not in it, neither before the first loop nor between two loops. Only without an error.
   */
  duration?: number
  /**
   * Actions in the order in which they are executed.
   */
  timeline?: TrajectoryTimeline
  /**
   * Timelines that actions call by name.
   */
  routines?: TrajectoryRoutine[]
}
export interface TrajectoryRoutine {
  /**
   * Name for people.
   */
  name: string
  /**
   * Actions in the order in which they are executed.
   */
  timeline: TrajectoryTimeline
}
export interface SegmentItem {
  /**
   * Always `segment`.
   */
  type: "segment"
  /**
   * True when every setpoint is valid.
   */
  result: boolean
  /**
   * Joint setpoints at 100 Hz.
   */
  setpoints: TrajectorySetpoint[]
  /**
   * Waypoint indexes from, through and to; -1 means a grid-waypoint.
   */
  waypoints: number[]
}
export interface TrajectorySetpoint {
  /**
   * Whether the setpoint is valid.
   */
  result: ("success" | "error")
  /**
   * Error code of a motion or a calculation (§2.4).
   */
  error?: MotionErrorCode
  /**
   * Angles of the joints (rad).
   */
  joints?: number[]
}
export interface OutputItem {
  /**
   * Always `output`.
   */
  type: "output"
  /**
   * One input or output: base digital 0 to 3, every other kind 0 to 1.
   */
  io: IoAddress
  /**
   * Boolean for digital, number for analog.
   */
  value: IoValue
}
export interface WaitItem {
  /**
   * Always `wait`.
   */
  type: "wait"
  /**
   * What has to hold.
   */
  condition: WaitCondition
}
export interface GridItem {
  /**
   * Always `grid`.
   */
  type: "grid"
  /**
   * One list of actions for each cell, row by row.
   */
  iterations: TrajectoryTimeline[]
}
export interface IfItem {
  /**
   * Always `if`.
   */
  type: "if"
  /**
   * Alternatives, tried in order; the first whose condition holds is run.
   */
  branches: TrajectoryBranch[]
}
export interface TrajectoryBranch {
  /**
   * What has to hold.
   */
  condition: TestCondition
  /**
   * Actions in the order in which they are executed.
   */
  timeline: TrajectoryTimeline
}
export interface RestartItem {
  /**
   * Always `restart`.
   */
  type: "restart"
}
export interface CallRoutineItem {
  /**
   * Always `call-routine`.
   */
  type: "call-routine"
  /**
   * Transition into the routine.
   */
  enter: SegmentItem
  /**
   * Name of the routine.
   */
  routine: string
  /**
   * Transition out of the routine.
   */
  exit: SegmentItem
}
export interface UsageReply {
  /**
   * What users use of a capacity that all share.
   */
  usage: ShareUsage[]
}
/**
 * What users use of a capacity that all share.
 */
export interface ShareUsage {
  /**
   * Name of the share, as in the reference.
   */
  share: string
  /**
   * What owners use of it.
   */
  unit: string
  /**
   * All owners together.
   */
  total: number
  /**
   * What one owner may use whom nobody else disturbs.
   */
  alone: number
  /**
   * Used now by all.
   */
  used: number
  /**
   * Those who use some, the largest first.
   */
  owners: OwnerUsage[]
}
export interface OwnerUsage {
  /**
   * Null for what belongs to no user, such as log-ins.
   */
  user_id: (number | null)
  /**
   * Used now.
   */
  used: number
}
export interface User {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * E-mail address, the name for logging in.
   */
  email: string
  /**
   * Role of the user.
   */
  role: Role
}
export interface UserReply {
  /**
   * The user.
   */
  user: User
}
export interface UsersReply {
  /**
   * The users.
   */
  users: User[]
}
export interface CreateUserBody {
  /**
   * E-mail address, the name for logging in.
   */
  email: string
  /**
   * Password.
   */
  password: string
}
export interface UpdateUserBody {
  /**
   * E-mail address, the name for logging in.
   */
  email?: string
  /**
   * Password.
   */
  password?: string
  /**
   * Role of the user.
   */
  role?: Role
  /**
   * Your own present password. Required to change your own e-mail or password, and checked wherever it is given.
   */
  current_password?: string
}
export interface ApiToken {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Name for people.
   */
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
  /**
   * The API tokens, without their secrets.
   */
  tokens: ApiToken[]
}
export interface CreateTokenBody {
  /**
   * Name for people.
   */
  name: Name
}
export interface CreatedTokenReply {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Name for people.
   */
  name: string
  /**
   * The secret; shown only once.
   */
  token: string
}
/**
 * A hook in any form. Without `type` its `filter`, or a member that only one type has, gives the type.
 */
export interface Hook {
  /**
   * Kind; decides the other fields.
   */
  type?: HookTypeName
  /**
   * Which events the hook receives.
   */
  filter?: ("on_run_state_change" | "on_task_state_change" | "on_safety_state_change" | "on_labware_movement" | "on_new_plan")
  /**
   * Where a hook sends its deliveries.
   */
  parameters: HookParameters
  /**
   * Ids of the tasks whose events the hook receives.
   */
  task_ids?: string[]
  /**
   * Ids of the labware whose events the hook receives.
   */
  labware_ids?: string[]
  /**
   * Movement of labware that the hook waits for.
   */
  trigger_on?: ("start" | "end" | "both")
}
/**
 * Where a hook sends its deliveries.
 */
export interface HookParameters {
  /**
   * Address of the receiver.
   */
  url: string
  /**
   * Headers of the deliveries, by name.
   */
  headers?: {
    [k: string]: unknown
  }
}
/**
 * Fires when a run starts, pauses, resumes or stops.
 */
export interface RunStateChangeHook {
  /**
   * Always `RunStateChangeHook`.
   */
  type: "RunStateChangeHook"
  /**
   * Where a hook sends its deliveries.
   */
  parameters: HookParameters
}
/**
 * Fires when a task starts, fails or succeeds.
 */
export interface TaskStateChangeHook {
  /**
   * Always `TaskStateChangeHook`.
   */
  type: "TaskStateChangeHook"
  /**
   * Where a hook sends its deliveries.
   */
  parameters: HookParameters
  /**
   * Ids of the tasks whose events the hook receives.
   */
  task_ids?: string[]
}
/**
 * Fires when the safety state of the workcell changes.
 */
export interface SafetyStateChangeHook {
  /**
   * Always `SafetyStateChangeHook`.
   */
  type: "SafetyStateChangeHook"
  /**
   * Where a hook sends its deliveries.
   */
  parameters: HookParameters
}
/**
 * Fires when labware is picked up or put down, or its move fails.
 */
export interface LabwareMovementHook {
  /**
   * Always `LabwareMovementHook`.
   */
  type: "LabwareMovementHook"
  /**
   * Where a hook sends its deliveries.
   */
  parameters: HookParameters
  /**
   * Ids of the labware whose events the hook receives.
   */
  labware_ids?: string[]
  /**
   * Movement of labware that the hook waits for.
   */
  trigger_on?: ("start" | "end" | "both")
}
/**
 * Fires when there is a new plan.
 */
export interface NewPlanHook {
  /**
   * Always `NewPlanHook`.
   */
  type: "NewPlanHook"
  /**
   * Where a hook sends its deliveries.
   */
  parameters: HookParameters
}
export interface RunStateChange {
  /**
   * Id of the run.
   */
  run_id: string
  /**
   * RFC 3339, simulated time.
   */
  timestamp: string
  /**
   * State.
   */
  state: ("started" | "paused" | "resumed" | "stopped")
  /**
   * Text for people.
   */
  message: string
}
export interface TaskStateChange {
  /**
   * Id of the run.
   */
  run_id: string
  /**
   * RFC 3339, simulated time.
   */
  timestamp: string
  /**
   * Id of the task.
   */
  task_id: string
  /**
   * Id of the instrument.
   */
  instrument_id: string
  /**
   * State.
   */
  state: ("started" | "failed" | "succeeded")
  /**
   * What the task does at the instrument.
   */
  action: string
  /**
   * What was wrong.
   */
  error: string
}
export interface SafetyStateChange {
  /**
   * Id of the run.
   */
  run_id: string
  /**
   * RFC 3339, simulated time.
   */
  timestamp: string
  /**
   * State.
   */
  state: string
}
export interface LabwareMovement {
  /**
   * Id of the run.
   */
  run_id: string
  /**
   * RFC 3339, simulated time.
   */
  timestamp: string
  /**
   * Id of the piece of labware.
   */
  labware_id: string
  /**
   * State.
   */
  state: ("started" | "finished" | "failed")
  /**
   * Id of the instrument that the piece comes from.
   */
  source_instrument_id: string
  /**
   * Id of the instrument that the piece moves to.
   */
  destination_instrument_id: string
  /**
   * Slot that the piece comes from.
   */
  source_slot: number
  /**
   * Slot that the piece moves to.
   */
  destination_slot: number
}
export interface NewPlan {
  /**
   * Id of the run.
   */
  run_id: string
  /**
   * RFC 3339, simulated time.
   */
  timestamp: string
  /**
   * Time until the end of the plan (s).
   */
  remaining_worktime: number
}
export interface RunStateChangeEvent {
  /**
   * Number of the event in its run, counted from 1.
   */
  sequence: number
  /**
   * Always `RunStateChangeHook`.
   */
  hook_type: "RunStateChangeHook"
  /**
   * Content of the event, as it is sent to the hook.
   */
  body: RunStateChange
}
export interface TaskStateChangeEvent {
  /**
   * Number of the event in its run, counted from 1.
   */
  sequence: number
  /**
   * Always `TaskStateChangeHook`.
   */
  hook_type: "TaskStateChangeHook"
  /**
   * Content of the event, as it is sent to the hook.
   */
  body: TaskStateChange
}
export interface SafetyStateChangeEvent {
  /**
   * Number of the event in its run, counted from 1.
   */
  sequence: number
  /**
   * Always `SafetyStateChangeHook`.
   */
  hook_type: "SafetyStateChangeHook"
  /**
   * Content of the event, as it is sent to the hook.
   */
  body: SafetyStateChange
}
export interface LabwareMovementEvent {
  /**
   * Number of the event in its run, counted from 1.
   */
  sequence: number
  /**
   * Always `LabwareMovementHook`.
   */
  hook_type: "LabwareMovementHook"
  /**
   * Content of the event, as it is sent to the hook.
   */
  body: LabwareMovement
}
export interface NewPlanEvent {
  /**
   * Number of the event in its run, counted from 1.
   */
  sequence: number
  /**
   * Always `NewPlanHook`.
   */
  hook_type: "NewPlanHook"
  /**
   * Content of the event, as it is sent to the hook.
   */
  body: NewPlan
  /**
   * Why the plan was made: what is late, down, back, failed or changed. Absent for a plan that follows from a call. Webhooks do not send it.
   */
  reason?: string
}
export interface RunEventsReply {
  /**
   * An event that can trigger a hook, with the payload.
   */
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
  /**
   * Status.
   */
  status: (number | null)
  /**
   * What was wrong.
   */
  error: string
  /**
   * Duration. In ms.
   */
  duration_ms: number
}
/**
 * One delivery to one address.
 */
export interface Delivery {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Id of the message; the same in each attempt.
   */
  message_id: string
  /**
   * Id of the run.
   */
  run_id: (string | null)
  /**
   * Class of the event.
   */
  hook_type: HookTypeName
  /**
   * Address of the receiver.
   */
  url: string
  /**
   * Number of the event in its run, counted from 1.
   */
  sequence: number
  /**
   * `dead` and never sent: the owner's share of waiting deliveries was used up; the attempt says so.
   */
  state: ("pending" | "delivered" | "dead" | "disabled")
  /**
   * Content of the event, as it is sent to the hook.
   */
  body: string
  /**
   * `status` is null without a reply.
   */
  attempts: DeliveryAttempt[]
}
/**
 * A delivery as an admin sees it: without its body, path and headers.
 */
export interface DeliveryHead {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Id of the run.
   */
  run_id: (string | null)
  /**
   * Class of the event.
   */
  hook_type: HookTypeName
  /**
   * Host and port of the receiver; the path may hold a secret.
   */
  host: string
  /**
   * Number of the event in its run, counted from 1.
   */
  sequence: number
  /**
   * State.
   */
  state: ("pending" | "delivered" | "dead" | "disabled")
  /**
   * How often it was tried.
   */
  attempts: number
}
export interface DeliveryHeadsReply {
  /**
   * A delivery as an admin sees it: without its body, path and headers.
   */
  deliveries: DeliveryHead[]
  /**
   * `before` of the next page; null on the last page.
   */
  next: (number | null)
}
export interface DeliveriesReply {
  /**
   * One delivery to one address.
   */
  deliveries: Delivery[]
  /**
   * `before` of the next page; null on the last page.
   */
  next: (number | null)
}
export interface DeliveryReply {
  /**
   * One delivery to one address.
   */
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
  /**
   * Address of the receiver.
   */
  url: string
  /**
   * Headers of the delivery, by name.
   */
  headers?: {
    [k: string]: unknown
  }
  /**
   * Class of the event.
   */
  hook_type?: HookTypeName
}
/**
 * Secret of Standard Webhooks signatures; after a rotation the previous one stays valid for a day (wall time), whatever further rotations there are.
 */
export interface SigningSecret {
  /**
   * Secret that signs deliveries (whsec_…).
   */
  secret: string
  /**
   * Time until which the secret before is accepted too.
   */
  previous_valid_until: (string | null)
}
export interface SecretReply {
  /**
   * Secret of Standard Webhooks signatures; after a rotation the previous one stays valid for a day (wall time), whatever further rotations there are.
   */
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
  /**
   * Name for people.
   */
  name: string
  /**
   * Who wrote the definition, and what for; kept without effect.
   */
  metadata?: {
    [k: string]: unknown
  }
  /**
   * Hooks of the workflow, in addition to those of `workflow`.
   */
  hooks?: {
    [k: string]: unknown
  }[]
  /**
   * The workflow.
   */
  workflow: {
    /**
     * Types of labware. Each text of a type is a name that labware may have as `labware_type`; the rest is kept without effect.
     */
    labware_types?: {
      [k: string]: unknown
    }[]
    /**
     * The pieces of labware.
     */
    labware: WorkflowLabware[]
    /**
     * Tasks by id.
     */
    tasks: {
      [k: string]: unknown
    }
    /**
     * Steps that are written once and done on each piece of a list. The definition is saved and shown with the tasks that they make.
     */
    templates?: {
      [k: string]: unknown
    }[]
    /**
     * Limits of the time between two tasks.
     */
    time_constraints?: WorkflowTimeConstraint[]
    /**
     * Kept without effect, for other schedulers.
     */
    instrument_blocks?: unknown[]
    /**
     * Receivers of the events of runs.
     */
    hooks?: {
      [k: string]: unknown
    }[]
    /**
     * Kept without effect, for other schedulers: what shall end first is a run of a higher `priority`.
     */
    batches?: {
      [k: string]: unknown
    }
    /**
     * What follows a failure of a task without an operator. Labware that is given up goes to a free slot of an instrument with the role `reject`; without one it stays where it is.
     */
    on_failure?: OnFailure
    /**
     * The whole work ends as early as possible (`makespan`); anything else is kept without effect.
     */
    planning_targets?: {
      [k: string]: unknown
    }
  }
  /**
   * With `workcell_id` alone it names a workcell of the caller; with instruments it describes one.
   */
  workcell: {
    /**
     * Id of the workcell.
     */
    workcell_id?: string
    /**
     * The instruments.
     */
    instruments?: WorkflowInstrument[]
    /**
     * Times of transports between instruments.
     */
    transport_matrix?: {
      /**
       * Time of the transports without a path (s); 0 if absent. 0 to 31536000.
       */
      default?: number
      /**
       * Time of the transports in one direction. Of several paths that fit, one between instruments counts before one with a bench.
       */
      paths?: TransportPath[]
    }
  }
  /**
   * `seed`: the seed of plans for calls that give none. Other members are refused.
   */
  options?: {
    [k: string]: unknown
  }
  /**
   * Kept without effect, for other schedulers.
   */
  run_instructions?: {
    [k: string]: unknown
  }
  /**
   * Kept without effect, for other schedulers.
   */
  scheduler_config?: {
    [k: string]: unknown
  }
  /**
   * Kept without effect, for other schedulers.
   */
  parameter_definitions?: {
    [k: string]: unknown
  }
}
export interface WorkflowLabware {
  /**
   * Id; unique among objects of its kind.
   */
  id: string
  /**
   * Name of the type.
   */
  labware_type?: string
  /**
   * Where the piece stands at the start.
   */
  starting_location: {
    /**
     * Id of the instrument.
     */
    instrument: string
    /**
     * Slot of the instrument. 0 to 4095.
     */
    slot: number
  }
  /**
   * What is printed on it; a task that reads another one fails.
   */
  barcode?: string
  /**
   * Units of it when full, such as the tips of a rack or the ml of a reagent; at the start of a run the deck knows what is left. Absent: not counted. 0 to 1000000000.
   */
  units?: number
  /**
   * What a person is asked once a task needs more units than are left. Without it, a workflow that takes more than there is is refused.
   */
  refill?: string
  /**
   * Number of its batch; kept without effect, for other schedulers. 1 to 1000.
   */
  batch?: (number | null)
}
export interface WorkflowTimeConstraint {
  /**
   * Id; unique among objects of its kind.
   */
  id: string
  /**
   * Kind; decides the other fields.
   */
  type: ("start_to_end" | "start_to_start" | "end_to_end" | "end_to_start")
  /**
   * Id of the task at which the constraint starts.
   */
  start_task_id: string
  /**
   * Id of the task at which the constraint ends.
   */
  end_task_id: string
  /**
   * Shortest time between the two tasks (s). 0 to 31536000.
   */
  min_duration?: number
  /**
   * Longest time between the two tasks (s). 0 to 31536000.
   */
  max_duration?: number
  /**
   * What happens when the limit is broken; default continue.
   */
  on_violation?: ("continue" | "pause" | "abort_labware" | "stop")
}
export interface WorkflowInstrument {
  /**
   * Id; unique among objects of its kind.
   */
  id: string
  /**
   * Name for people.
   */
  name?: string
  /**
   * Kind; decides the other fields.
   */
  type: string
  /**
   * Bench that the instrument stands on.
   */
  bench?: string
  /**
   * Name of the joint driver.
   */
  driver?: string
  /**
   * Short form of `slots` and `max_tasks`: so many of both; default 1. 1 to 1000.
   */
  capacity?: number
  /**
   * Number of pieces that fit, one in each of the slots from 1; default `capacity`. 1 to 1000.
   */
  slots?: number
  /**
   * Number of tasks at a time; default `capacity`. 1 for an instrument that takes several pieces in one task and no other task meanwhile. 1 to 1000.
   */
  max_tasks?: number
  /**
   * Time from the start of the first of the active runs to the first task of the instrument; labware may be brought before. Default 0. 0 to 86400 s.
   */
  warm_up_s?: number
  /**
   * Time after each task before the next one, and before an instrument opens that is closed while it runs. Default 0. 0 to 86400 s.
   */
  cool_down_s?: number
  /**
   * What the simulated instrument returns with each task, by name, where the task does not say it.
   */
  data_outputs?: {
    [k: string]: SimulatedOutput
  }
  /**
   * When the instrument, or who works there, is at work: each task begins and ends within one of these; default always.
   */
  shifts?: Shift[]
  /**
   * Pairs of slots that balance each other, as in a centrifuge: a task starts only while both of each are filled, or neither. Pieces without a slot go to the first pairs.
   */
  balance?: [number, number][]
  /**
   * Whether nothing goes in or out while a task runs, as at a centrifuge or thermocycler; default false.
   */
  closed_while_running?: boolean
  /**
   * Whether the instrument holds any number of pieces without slots; a slot number has no meaning there.
   */
  is_slotless_container?: boolean
  /**
   * Of an instrument of the type `transport`: how the arm carries labware. Any other is kept without effect.
   */
  config?: {
    [k: string]: unknown
  }
  /**
   * Names that stand for the instrument or the task.
   */
  mappings?: string[]
  /**
   * Whether the instrument is simulated.
   */
  simulate?: boolean
  /**
   * The planner may put labware aside in the slots of a buffer; given-up labware is taken to a free slot of a reject.
   */
  role?: ("instrument" | "buffer" | "reject")
}
/**
 * What a simulated instrument returns under a name.
 */
export interface SimulatedOutput {
  /**
   * What is returned: one for each task of a run on the instrument, and then from the first again.
   */
  values: unknown[]
  /**
   * `listed` (default): one after the other; `drawn`: each by the seed of the run.
   */
  order?: ("listed" | "drawn")
}
export interface Shift {
  /**
   * Time of day (UTC).
   */
  from: string
  /**
   * Time of day (UTC); of the next day if it is not after `from`.
   */
  to: string
}
/**
 * Time of the transports in one direction. Of several paths that fit, one between instruments counts before one with a bench.
 */
export interface TransportPath {
  /**
   * Id of the instrument, or name of the bench, that the transport starts at.
   */
  source: string
  /**
   * Id of the instrument, or name of the bench, that the transport ends at.
   */
  destination: string
  /**
   * Duration of the transport (s). 0 to 31536000.
   */
  time: number
}
/**
 * The source of a piece of labware of a task.
 */
export interface LabwareNeed {
  /**
   * From an earlier task; from where it stands at the start; or a consumable, of which units are taken where it stands, on the instrument of the task.
   */
  type: ("labware_source" | "stored_labware" | "consumable")
  /**
   * Id of the piece of labware.
   */
  labware_id: string
  /**
   * Slot in which a stored piece starts. 0 to 4095.
   */
  slot?: number
  /**
   * Slot of the instrument that the piece moves to; default: any free one. 0 to 4095.
   */
  destination_slot?: number
  /**
   * Id of the task that delivers the piece.
   */
  source_task?: string
  /**
   * Ids of the tasks that must have ended before.
   */
  dependencies?: string[]
  /**
   * Units that the task takes of it as it starts, each time that it is tried.
   */
  units_consumed?: number
}
export interface LabwareOutput {
  /**
   * Kind; decides the other fields.
   */
  type?: string
  /**
   * Id of the piece of labware.
   */
  labware_id: string
  /**
   * Slot of the instrument. 0 to 4095.
   */
  slot?: number
  /**
   * Slot that the piece moves to. 0 to 4095.
   */
  destination_slot?: number
  /**
   * Amount that the task adds to the piece.
   */
  units_produced?: number
}
/**
 * What follows a failure of a task without an operator. Labware that is given up goes to a free slot of an instrument with the role `reject`; without one it stays where it is.
 */
export interface OnFailure {
  /**
   * How often the task is tried again by itself; default 0. 0 to 1000.
   */
  retries?: number
  /**
   * Time between a failure and the next try; default 0. 0 to 86400 s.
   */
  retry_delay_s?: number
  /**
   * What follows the last failure: the run pauses, only the labware of the task is put on hold, the run goes on without that labware, or the run stops. Default: `pause_run` if an operator can choose something for the task, else `stop`.
   */
  action?: ("pause_run" | "pause_plate" | "continue_without" | "stop")
}
export interface WorkflowTask {
  /**
   * Id; unique among objects of its kind.
   */
  id?: string
  /**
   * Text for people.
   */
  description?: string
  /**
   * Ids of the tasks that must have ended before.
   */
  dependencies?: string[]
  /**
   * Id of the instrument.
   */
  instrument: {
    /**
     * Kind; decides the other fields.
     */
    type: string
    /**
     * Names that stand for the instrument or the task.
     */
    mappings?: string[]
  }
  /**
   * What the task does at the instrument.
   */
  action: string
  /**
   * Expected duration of the task (s). 0 to 31536000.
   */
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
  /**
   * Inputs of the instrument, in any form; kept without effect.
   */
  inputs?: {
    [k: string]: unknown
  }
  /**
   * Whether the task is left out.
   */
  skip?: boolean
  /**
   * How the simulated instrument behaves.
   */
  mock_behaviour?: {
    /**
     * Simulated duration of the task (s). 0 to 31536000.
     */
    execution_time?: number
    /**
     * Whether the simulated task succeeds.
     */
    success?: boolean
    /**
     * What the simulated instrument returns, by name; before what its instrument says.
     */
    data_outputs?: {
      [k: string]: unknown
    }
  }
  /**
   * What follows a failure of a task without an operator. Labware that is given up goes to a free slot of an instrument with the role `reject`; without one it stays where it is.
   */
  on_failure?: OnFailure
  /**
   * Whether the task reads the barcode of its only piece of labware, and returns it as `barcode`. It fails if there is none, or one that is not that of the piece; a piece without a `barcode` has the first that is read. Default false.
   */
  reads_barcode?: boolean
  /**
   * The task is done only if all of these hold once the tasks that they name have ended; else it is cancelled, and what comes after it goes on. Until then a plan counts it as done; of tasks that exclude each other it counts those that take longest.
   */
  only_if?: TaskCondition[]
  /**
   * What a person is asked to do. The task ends when they say that it is done (`completeTask`), or after the `execution_time` of its `mock_behaviour`, which stands for them; `time_estimate` is a forecast.
   */
  prompt?: string
  /**
   * Time after which a task with a `prompt` fails that nobody has said to be done; default: never. 0 to 31536000 s.
   */
  time_out_s?: number
  /**
   * What an operator may choose after a failure; default: retry and complete_manually.
   */
  available_failure_actions?: {
    /**
     * Whether an operator may declare the failed task done.
     */
    complete_manually?: boolean
    /**
     * Whether the failed task may be tried again.
     */
    retry?: boolean
    /**
     * Whether the failed task may be skipped.
     */
    ignore?: boolean
    /**
     * Most retries of the task in a run; default none. 0 to 1000.
     */
    max_retries?: number
  }
}
/**
 * A condition on what a task returns: all that it says must hold.
 */
export interface TaskCondition {
  /**
   * The task whose result decides; it has to end first.
   */
  task_id: string
  /**
   * Name of the value among its `data_outputs`. A task that does not return it fails.
   */
  output: string
  /**
   * The value is this one.
   */
  equals?: (string | number | boolean)
  /**
   * The value is another one.
   */
  not_equals?: (string | number | boolean)
  /**
   * The value is a number that is not smaller.
   */
  at_least?: number
  /**
   * The value is a number that is smaller.
   */
  below?: number
}
/**
 * What a task returns, by name.
 */
export interface DataOutputs {
  [k: string]: unknown
}
/**
 * Steps that each piece of `for_each` goes through, one after the other. A step makes a task for each piece, with the name of the step, `_` and that of the piece; limits likewise. In the texts of a template `{labware}` stands for the piece and `{n}` for its number in `for_each`, from 1; `{n}` alone is a number.
 */
export interface WorkflowTemplate {
  /**
   * Ids of the labware.
   */
  for_each: string[]
  /**
   * The steps in their order.
   */
  steps: TemplateStep[]
  /**
   * Limits of time between the steps of each piece.
   */
  time_constraints?: WorkflowTimeConstraint[]
}
/**
 * A task of each piece, which it takes from the step before: from the last one of an earlier template, or from its store. `dependencies` name steps of the same template, or any task.
 */
export interface TemplateStep {
  /**
   * Name of the step in its template.
   */
  id: string
  /**
   * Slot of the instrument into which the piece goes; `{n}`: that of its number. Default: any free one.
   */
  destination_slot?: (number | string)
  /**
   * Names of steps of the template, or ids of tasks, that must have ended.
   */
  dependencies?: string[]
  /**
   * Further labware of the step, by its id; or the piece itself where it comes from elsewhere.
   */
  labware_sources?: {
    [k: string]: unknown
  }
  [k: string]: unknown
}
export interface StationConfig {
  /**
   * Six joint angles in radians; all zeros is the upright pose.
   */
  approach: Joints
  /**
   * Six joint angles in radians; all zeros is the upright pose.
   */
  grip: Joints
}
/**
 * Labware transport by the arm: the `config` of the instrument of type transport.
 */
export interface TransportConfig {
  /**
   * Six joint angles in radians; all zeros is the upright pose.
   */
  home: Joints
  /**
   * Tool speed of transports (m/s). 0 to 1.5.
   */
  default_max_speed: number
  /**
   * Name of the gripper, or what it holds.
   */
  gripper: {
    /**
     * Where the signal is: base or end effector.
     */
    location: ("base" | "end_effector")
    /**
     * Always `digital`.
     */
    type: "digital"
    /**
     * Index, starting at 0. 0 to 3.
     */
    index: number
    /**
     * Value of the output at which the gripper is closed.
     */
    closed: boolean
    /**
     * Time that the gripper takes to close. 0 to 60 s.
     */
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
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Name for people.
   */
  name: string
  /**
   * What is accepted and may be a mistake.
   */
  warnings: string[]
}
export interface WorkflowReply {
  /**
   * The workflow.
   */
  workflow: WorkflowHead
}
export interface WorkflowsReply {
  /**
   * The workflows.
   */
  workflows: WorkflowHead[]
}
export interface StoredWorkflow {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Name for people.
   */
  name: string
  /**
   * What is accepted and may be a mistake.
   */
  warnings: string[]
  /**
   * The definition as it was saved.
   */
  definition: {
    [k: string]: unknown
  }
}
export interface StoredWorkflowReply {
  /**
   * The workflow.
   */
  workflow: StoredWorkflow
}
export interface ValidationReply {
  /**
   * Whether runs can be made of the definition.
   */
  is_valid: boolean
  /**
   * What makes the definition invalid.
   */
  errors: {
    /**
     * Path of the value or of the call.
     */
    path: string
    /**
     * Text for people.
     */
    message: string
  }[]
  /**
   * What is accepted and may be a mistake.
   */
  warnings: string[]
  /**
   * The plan, where `plan=1` was asked for and the definition has one.
   */
  plan?: WorkflowPlan
}
/**
 * Seconds since the start of the plan.
 */
export interface PlannedWorkflowTask {
  /**
   * Start of the operation, in s from the start of the plan.
   */
  start: number
  /**
   * End of the operation, in s from the start of the plan.
   */
  end: number
  /**
   * Id of the instrument.
   */
  instrument: (string | null)
  /**
   * Labware that the task needs.
   */
  labware_in: string[]
  /**
   * Labware that the task leaves.
   */
  labware_out: string[]
}
export interface PlannedTransport {
  /**
   * Id of the piece of labware.
   */
  labware_id: string
  /**
   * Id of the instrument that the piece comes from.
   */
  source_instrument_id: string
  /**
   * Slot that the piece comes from. 0 to 4095.
   */
  source_slot: number
  /**
   * Id of the instrument that the piece moves to.
   */
  destination_instrument_id: string
  /**
   * Slot that the piece moves to. 0 to 4095.
   */
  destination_slot: number
  /**
   * Start of the operation, in s from the start of the plan.
   */
  start: number
  /**
   * End of the operation, in s from the start of the plan.
   */
  end: number
}
export interface WorkflowPlan {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Duration of the plan (s).
   */
  makespan: number
  /**
   * No plan can be shorter than this (s).
   */
  lower_bound: number
  /**
   * Planned tasks by id.
   */
  tasks: {
    [k: string]: PlannedWorkflowTask
  }
  /**
   * Movements of labware.
   */
  transports: PlannedTransport[]
  /**
   * Operations that determine the makespan.
   */
  critical_path: string[]
  /**
   * The shortest steady cycle found for equal pieces, or equal groups of pieces that share tasks.
   */
  cycle?: PlanCycle
}
/**
 * The shortest steady cycle found for equal pieces, or equal groups of pieces that share tasks.
 */
export interface PlanCycle {
  /**
   * Time from the end of one group to that of the next. In s.
   */
  period_s: number
  /**
   * No steady cycle has a shorter period. In s.
   */
  lower_bound_s: number
  /**
   * Groups with the same work; pieces if each is alone.
   */
  equal_groups: number
  /**
   * Pieces of labware in each group.
   */
  pieces_per_group: number
  /**
   * Groups after which the cycle repeats.
   */
  groups_per_cycle: number
  /**
   * Instrument that the lower bound comes from; null: the arm.
   */
  instrument_id: (string | null)
}
export interface PlanReply {
  /**
   * The plan.
   */
  plan: WorkflowPlan
  /**
   * Slack, critical path and bottleneck of the plan.
   */
  analysis: PlanAnalysis
}
/**
 * A failure of a simulated instrument, or a result of another value; `times` in a row, default 1.
 */
export interface RunFault {
  /**
   * Id of the task.
   */
  task_id: string
  /**
   * What was wrong.
   */
  error?: string
  /**
   * Number of failures in a row; default 1. 1 to 1000.
   */
  times?: number
  /**
   * What the instrument returns instead, by name; without `error` the task then goes on with it.
   */
  data_outputs?: {
    [k: string]: unknown
  }
}
export interface StartRunBody {
  /**
   * Refuses the run (501) while the clock follows real time or a multiple of it; it changes nothing else. At pace max or stepped a run takes no wall time by itself.
   */
  simulate_time?: boolean
  /**
   * Whether the run leaves out arm and deck: moves only take their planned time. Instruments are always simulated.
   */
  simulate_drivers?: boolean
  /**
   * Seed of the random numbers. 0 to 4294967295.
   */
  seed?: number
  /**
   * A failure of a simulated instrument, or a result of another value; `times` in a row, default 1.
   */
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
   * With `continue_run_id`: what became of tasks that ran when that run was interrupted, by their ids. `stopped`: what is left of its time follows; after the end of a process its last event says how much that is. `kept_running`: its instrument went on meanwhile, by its own clock. `repeat`: all of it is done again. Default `stopped`, but a task whose time has passed since the process ended must be named, else the start is refused.
   */
  interrupted_tasks?: {
    [k: string]: ("stopped" | "kept_running" | "repeat")
  }
  /**
   * Larger first where runs share a workcell; default 5. 0 to 9.
   */
  priority?: number
  /**
   * No task or move starts earlier than this after the start of the run (s). 0 to 31536000 s.
   */
  start_after_s?: number
  /**
   * When the run should have ended (s after its start); lateness costs ten times as much as a later end of another run of the same priority. 0 to 31536000 s.
   */
  due_s?: number
}
export interface RunHead {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Id of the workflow.
   */
  workflow_id: number
  /**
   * Name for people.
   */
  name: string
  /**
   * State.
   */
  state: RunStateName
  /**
   * Text for people.
   */
  message: string
  /**
   * RFC 3339, simulated time.
   */
  started_at: string
  /**
   * When the run was stopped; null while it runs.
   */
  stopped_at: (string | null)
  /**
   * Null for a run with simulated drivers, which has no deck.
   */
  workcell_id: (number | null)
}
export interface StartedRunReply {
  /**
   * The run.
   */
  run: RunHead
}
export interface RunsReply {
  /**
   * The runs, newest first.
   */
  runs: RunHead[]
}
/**
 * Times in seconds since the start of the run.
 */
export interface RunTask {
  /**
   * Id; unique among objects of its kind.
   */
  id: string
  /**
   * `cancelled`: a condition of its `only_if` does not hold. `aborted`: it was given up with its labware.
   */
  state: ("waiting" | "running" | "succeeded" | "failed" | "skipped" | "aborted" | "completed_manually" | "cancelled")
  /**
   * What it returned, by name; null before its end.
   */
  data_outputs?: ({
    [k: string]: unknown
  } | null)
  /**
   * Id of the instrument.
   */
  instrument_id: (string | null)
  /**
   * Time of the run at which it started. In s.
   */
  started_at_s: (number | null)
  /**
   * Time of the run at which it ended. In s.
   */
  ended_at_s: (number | null)
  /**
   * What was wrong.
   */
  error: string
  /**
   * By the first plan of the run; null if that did not contain it. In s.
   */
  planned_start_s?: (number | null)
  /**
   * Planned end in the time of the run; null if no plan contained it. In s.
   */
  planned_end_s?: (number | null)
}
/**
 * Null while the arm carries the labware.
 */
export interface LabwarePlace {
  /**
   * Id of the piece of labware.
   */
  labware_id: string
  /**
   * Id of the instrument.
   */
  instrument_id: (string | null)
  /**
   * Slot of the instrument.
   */
  slot: (number | null)
  /**
   * The barcode that was read on it last; null before.
   */
  barcode?: (string | null)
}
/**
 * Times in seconds since the start of the run.
 */
export interface RunMove {
  /**
   * Id of the piece of labware.
   */
  labware_id: string
  /**
   * Id of the instrument that the piece comes from.
   */
  source_instrument_id: string
  /**
   * Slot that the piece comes from. 0 to 4095.
   */
  source_slot: number
  /**
   * Id of the instrument that the piece moves to.
   */
  destination_instrument_id: string
  /**
   * Slot that the piece moves to. 0 to 4095.
   */
  destination_slot: number
  /**
   * When the gripper held the piece, as the webhook `started`; null before. In s.
   */
  started_at_s: (number | null)
  /**
   * When the piece rested in its slot, as the webhook `finished`. In s.
   */
  ended_at_s: (number | null)
  /**
   * When the gripper closes by the first plan; null if that did not contain it. In s.
   */
  planned_start_s?: (number | null)
  /**
   * When the gripper opens by the first plan of the run. In s.
   */
  planned_end_s?: (number | null)
  /**
   * Time of the run at which the arm set out for a move; null for a task. In s.
   */
  arm_started_at_s?: (number | null)
  /**
   * Time of the run at which the arm was home again after a move; null for a task. In s.
   */
  arm_ended_at_s?: (number | null)
}
export interface RunPrompt {
  /**
   * Id of the task.
   */
  task_id: string
  /**
   * Id of the instrument.
   */
  instrument_id: string
  /**
   * What a person is asked to do; `completeTask` says that it is done.
   */
  prompt: string
  /**
   * Seconds since the start of the run. In s.
   */
  since_s: number
  /**
   * When the task fails (s since the start of the run); null: never.
   */
  times_out_at_s: (number | null)
  /**
   * Names of what the task has to return (`data_outputs` of `completeTask`), since other tasks depend on it.
   */
  outputs: string[]
}
/**
 * Labware whose units are counted.
 */
export interface RunSupply {
  /**
   * Id of the piece of labware.
   */
  labware_id: string
  /**
   * Where a consumable stands; null for labware that is carried.
   */
  instrument_id: (string | null)
  /**
   * Slot of the instrument.
   */
  slot: (number | null)
  /**
   * Units that are left.
   */
  units: number
  /**
   * Units after a refill.
   */
  full: number
  /**
   * Units that the tasks which wait still take.
   */
  needed: number
}
/**
 * A task or move that runs and takes longer than planned by 2 s and by 5 % of its time at least. Times in seconds since the start of the run.
 */
export interface LateOperation {
  /**
   * Null for a move.
   */
  task_id: (string | null)
  /**
   * The piece of a move; null for a task.
   */
  labware_id: (string | null)
  /**
   * Of a move: where it goes.
   */
  instrument_id: (string | null)
  /**
   * By the present plan (s).
   */
  planned_end_s: number
  /**
   * How much longer it takes than planned so far (s).
   */
  late_s: number
  /**
   * After as long again as it is late now (s).
   */
  expected_end_s: number
}
/**
 * What a task waits for in the end: not the piece in its way, but what holds that piece.
 */
export interface BlockedBy {
  /**
   * Text for people.
   */
  text: string
  /**
   * Id of the instrument.
   */
  instrument_id: (string | null)
  /**
   * Id of the piece of labware.
   */
  labware_id: (string | null)
  /**
   * Id of the task.
   */
  task_id: (string | null)
  /**
   * Since when, in seconds since the start of the run; null where that is not known. In s.
   */
  since_s: (number | null)
  /**
   * What would free it.
   */
  freed_by: string
}
export interface WaitingTask {
  /**
   * Id of the task.
   */
  task_id: string
  /**
   * What a task waits for in the end: not the piece in its way, but what holds that piece.
   */
  blocked_by: BlockedBy[]
  /**
   * Why, one sentence each.
   */
  reasons: string[]
}
export interface RunDetails {
  /**
   * What is left of labware whose units are counted; empty once the run has stopped (then see the deck).
   */
  supplies?: RunSupply[]
  /**
   * What persons are asked to do now; `completeTask` says that it is done.
   */
  prompts: RunPrompt[]
  /**
   * A task or move that runs and takes longer than planned by 2 s and by 5 % of its time at least. Times in seconds since the start of the run.
   */
  late: LateOperation[]
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Id of the workflow.
   */
  workflow_id: number
  /**
   * Name for people.
   */
  name: string
  /**
   * State.
   */
  state: RunStateName
  /**
   * Text for people.
   */
  message: string
  /**
   * RFC 3339, simulated time.
   */
  started_at: string
  /**
   * When the run was stopped; null while it runs.
   */
  stopped_at: (string | null)
  /**
   * True while the run holds the robot lock and moves the arm.
   */
  uses_arm: boolean
  /**
   * True while a requested pause waits for what is under way to end: the run is `started` and starts nothing more.
   */
  pausing: boolean
  /**
   * Present time of the run. In s.
   */
  now_s: number
  /**
   * Times in seconds since the start of the run.
   */
  tasks: RunTask[]
  /**
   * Null while the arm carries the labware.
   */
  labware: LabwarePlace[]
  /**
   * Times in seconds since the start of the run.
   */
  moves: RunMove[]
  /**
   * The plan.
   */
  plan: (WorkflowPlan | null)
  /**
   * Tasks that wait, with the reason.
   */
  waiting: WaitingTask[]
  /**
   * Id of the workcell.
   */
  workcell_id: (number | null)
  /**
   * A broken limit of time; seconds since the start of the run.
   */
  violations: LimitViolation[]
  /**
   * A limit of time in a run. Void: one of its tasks is skipped or aborted.
   */
  limits: RunLimit[]
  /**
   * What decides the order of an active run among others, and the labware that an operator holds.
   */
  schedule: (RunSchedule | null)
}
/**
 * A broken limit of time; seconds since the start of the run.
 */
export interface LimitViolation {
  /**
   * Id of the time constraint.
   */
  constraint_id: string
  /**
   * Kind; decides the other fields.
   */
  kind: ("too_long" | "too_short")
  /**
   * The limit. In s.
   */
  limit_s: number
  /**
   * Until the end of the limit, or until now. In s.
   */
  elapsed_s: number
  /**
   * When it was broken. In s.
   */
  at_s: number
  /**
   * What the run does when the limit is exceeded.
   */
  on_violation: ("continue" | "pause" | "abort_labware" | "stop")
}
/**
 * A limit of time in a run. Void: one of its tasks is skipped or aborted.
 */
export interface RunLimit {
  /**
   * Id of the time constraint.
   */
  constraint_id: string
  /**
   * State.
   */
  state: ("waiting" | "running" | "held" | "broken" | "void")
  /**
   * Shortest permitted time. In s.
   */
  min_s: number
  /**
   * Longest permitted time; null without one. In s.
   */
  max_s: (number | null)
  /**
   * Time since the start of the constraint; null before it. In s.
   */
  elapsed_s: (number | null)
  /**
   * Planned time; null without a plan. In s.
   */
  planned_s: (number | null)
  /**
   * Planned distance to `max_s`; negative if the plan breaks the limit. In s.
   */
  slack_s: (number | null)
}
/**
 * What decides the order of an active run among others, and the labware that an operator holds.
 */
export interface RunSchedule {
  /**
   * Runs with a larger number go first.
   */
  priority: number
  /**
   * Time of the workcell before which the run does not start. In s.
   */
  start_after_s: number
  /**
   * Time of the workcell by which the run should end; null without one. In s.
   */
  due_s: (number | null)
  /**
   * Ids of the labware that the run holds.
   */
  held_labware: string[]
}
export interface RunReply {
  /**
   * The run.
   */
  run: RunDetails
}
export interface PauseRunBody {
  /**
   * Whether a move that is under way stops at once and continues when the run resumes; default false. A running task always ends by itself, as an instrument cannot be interrupted.
   */
  immediate?: boolean
}
export interface TaskChoiceBody {
  /**
   * Id of the task.
   */
  task_id: string
}
export interface CompleteTaskBody {
  /**
   * Id of the task.
   */
  task_id: string
  /**
   * What the task returned, by name: what `only_if` of other tasks asks for must be there.
   */
  data_outputs?: {
    [k: string]: unknown
  }
}
export interface InstrumentStateBody {
  /**
   * Id of the instrument.
   */
  instrument_id: string
  /**
   * Whether the instrument works.
   */
  is_up: boolean
}
export interface WorkcellBody {
  /**
   * The `workcell_id` of definitions.
   */
  name: string
  /**
   * The instruments.
   */
  instruments: WorkflowInstrument[]
  /**
   * Times of transports between instruments.
   */
  transport_matrix?: {
    /**
     * Time of the transports without a path (s); 0 if absent. 0 to 31536000.
     */
    default?: number
    /**
     * Time of the transports in one direction. Of several paths that fit, one between instruments counts before one with a bench.
     */
    paths?: TransportPath[]
  }
}
export interface WorkcellHead {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Name for people.
   */
  name: string
}
export interface WorkcellsReply {
  /**
   * The workcells.
   */
  workcells: WorkcellHead[]
}
export interface StoredWorkcell {
  /**
   * Id; unique among objects of its kind.
   */
  id: number
  /**
   * Name for people.
   */
  name: string
  /**
   * The instruments.
   */
  instruments: WorkflowInstrument[]
  /**
   * Times of transports between instruments.
   */
  transport_matrix?: {
    /**
     * Time of the transports without a path (s); 0 if absent. 0 to 31536000.
     */
    default?: number
    /**
     * Time of the transports in one direction. Of several paths that fit, one between instruments counts before one with a bench.
     */
    paths?: TransportPath[]
  }
}
export interface WorkcellReply {
  /**
   * The workcell.
   */
  workcell: StoredWorkcell
}
export interface DeckLabware {
  /**
   * Id of the piece of labware.
   */
  labware_id: string
  /**
   * Id of the instrument.
   */
  instrument_id: string
  /**
   * Slot of the instrument. 0 to 4095.
   */
  slot: number
  /**
   * Units that are left of it. Absent in `setDeck`: as many as before. 0 to 1000000000.
   */
  units?: number
}
/**
 * Where each piece of labware stands.
 */
export interface DeckBody {
  /**
   * The pieces of labware.
   */
  labware: DeckLabware[]
  /**
   * The piece in the gripper.
   */
  gripper: (string | null)
}
export interface DeckState {
  /**
   * Id of the workcell.
   */
  workcell_id: number
  /**
   * The pieces of labware.
   */
  labware: DeckLabware[]
  /**
   * Name of the gripper, or what it holds.
   */
  gripper: (string | null)
  /**
   * Ids of the active runs on the workcell.
   */
  runs: number[]
}
export interface DeckReply {
  /**
   * What stands where.
   */
  deck: DeckState
}
export interface LabwareChoiceBody {
  /**
   * Id of the piece of labware.
   */
  labware_id: string
}
export interface WhatIfChoice {
  /**
   * The choice that was planned.
   */
  choice: ("retry" | "complete_manually" | "ignore" | "abort_labware" | "stop")
  /**
   * Whether the call of the choice is accepted now. Without a plan (`makespan_s` is null) the run cannot be resumed after it.
   */
  is_allowed: boolean
  /**
   * Planned end, in seconds since the start of the run; null without a plan. In s.
   */
  makespan_s: (number | null)
  /**
   * Limits of time that are broken or that the plan breaks.
   */
  broken_limits: string[]
  /**
   * Ids of the tasks that this choice aborts.
   */
  aborted_tasks: string[]
  /**
   * Why there is no plan.
   */
  problems: string[]
}
export interface WhatIfReply {
  /**
   * Every choice with its plan.
   */
  choices: WhatIfChoice[]
}
/**
 * A task or a move, which lasts from the grip until the piece rests. Times in seconds since the start of the run, and in RFC 3339.
 */
export interface RunOperation {
  /**
   * Kind; decides the other fields.
   */
  kind: ("task" | "move")
  /**
   * Id of the task.
   */
  task_id: (string | null)
  /**
   * Id of the piece of labware.
   */
  labware_id: (string | null)
  /**
   * Of a move: the destination.
   */
  instrument_id: (string | null)
  /**
   * Slot of the instrument.
   */
  slot: (number | null)
  /**
   * Id of the instrument that the piece comes from.
   */
  source_instrument_id: (string | null)
  /**
   * Slot that the piece comes from.
   */
  source_slot: (number | null)
  /**
   * State.
   */
  state: string
  /**
   * Planned start in the time of the run; null if no plan contained it. In s.
   */
  planned_start_s: (number | null)
  /**
   * Planned end in the time of the run; null if no plan contained it. In s.
   */
  planned_end_s: (number | null)
  /**
   * Time of the run at which it started. In s.
   */
  started_at_s: (number | null)
  /**
   * Time of the run at which it ended. In s.
   */
  ended_at_s: (number | null)
  /**
   * When it started (RFC 3339); null before it.
   */
  started_at: (string | null)
  /**
   * When it ended (RFC 3339); null before it.
   */
  ended_at: (string | null)
  /**
   * What was wrong.
   */
  error: string
  /**
   * Time of the run at which the arm set out for a move; null for a task. In s.
   */
  arm_started_at_s: (number | null)
  /**
   * Time of the run at which the arm was home again after a move; null for a task. In s.
   */
  arm_ended_at_s: (number | null)
}
export interface RunReport {
  /**
   * The run.
   */
  run: RunHead
  /**
   * A task or a move, which lasts from the grip until the piece rests. Times in seconds since the start of the run, and in RFC 3339.
   */
  operations: RunOperation[]
  /**
   * A broken limit of time; seconds since the start of the run.
   */
  violations: LimitViolation[]
}
/**
 * An operation of a plan. `slack_s`: how much later it could end without a later end of the plan, in the order of the plan and without regard to upper limits of time.
 */
export interface PlannedOperation {
  /**
   * Name for people.
   */
  name: string
  /**
   * Id of the task.
   */
  task_id: (string | null)
  /**
   * Id of the piece of labware.
   */
  labware_id: (string | null)
  /**
   * Id of the instrument.
   */
  instrument_id: (string | null)
  /**
   * Start in the time of the plan. In s.
   */
  start_s: number
  /**
   * End in the time of the plan. In s.
   */
  end_s: number
  /**
   * How much later it could end without a later end of the plan. In s.
   */
  slack_s: number
  /**
   * Whether a delay of the operation delays the end of the plan.
   */
  is_critical: boolean
}
export interface PlanAnalysis {
  /**
   * An operation of a plan. `slack_s`: how much later it could end without a later end of the plan, in the order of the plan and without regard to upper limits of time.
   */
  operations: PlannedOperation[]
  /**
   * What the length of the plan depends on, in a sentence.
   */
  bottleneck: string
}
export interface RunPlanReply {
  /**
   * The plan.
   */
  plan: WorkflowPlan
  /**
   * Slack, critical path and bottleneck of the plan.
   */
  analysis: PlanAnalysis
}
export interface RobustnessReply {
  /**
   * Executions of a plan in its order. Durations of tasks are triangular: from 1 − scatter to 1 + 2 · scatter of the estimate, which is the most frequent.
   */
  robustness: {
    /**
     * Number of executions with scattered durations.
     */
    executions: number
    /**
     * Makespan of the plan. In s.
     */
    planned_makespan_s: number
    /**
     * Mean makespan of the executions. In s.
     */
    mean_makespan_s: number
    /**
     * Nine of ten executions have ended by then. In s.
     */
    p90_makespan_s: number
    /**
     * The limits of time.
     */
    limits: {
      /**
       * Id; unique among objects of its kind.
       */
      id: string
      /**
       * What it holds, or whether the expectation holds. 0 to 1.
       */
      holds: number
    }[]
  }
}
