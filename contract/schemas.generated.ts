// GENERATED from contract/schema by tools/generate.mjs; do not edit.
export const schemaFiles: readonly object[] = [
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "calc.json",
  "description": "Kinematic calculations (§4.7). An error result has a motion error code and no joints.",
  "$defs": {
   "PoseValidBody": {
    "description": "Joint angles to check.",
    "examples": [
     {
      "joints": [
       0,
       0.5,
       -1.7,
       0,
       -1.2,
       0
      ]
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "joints"
    ],
    "properties": {
     "joints": {
      "$ref": "common.json#/$defs/Joints"
     },
     "tcp_config": {
      "$ref": "common.json#/$defs/TcpConfig"
     },
     "avoidance_zones": {
      "$ref": "common.json#/$defs/AvoidanceZones"
     }
    }
   },
   "ForwardKinematicsBody": {
    "description": "Joint angles to compute the tool pose for.",
    "examples": [
     {
      "joints": [
       0,
       0.5,
       -1.7,
       0,
       -1.2,
       0
      ]
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "joints"
    ],
    "properties": {
     "joints": {
      "$ref": "common.json#/$defs/Joints"
     },
     "tcp_config": {
      "$ref": "common.json#/$defs/TcpConfig"
     },
     "avoidance_zones": {
      "$ref": "common.json#/$defs/AvoidanceZones"
     }
    }
   },
   "InverseKinematicsBody": {
    "description": "A pose of the tool point (m) and joint angles as the initial guess.",
    "examples": [
     {
      "guess": [
       0,
       0.5,
       -1.7,
       0,
       -1.2,
       0
      ],
      "position": {
       "x": 0.3,
       "y": 0,
       "z": 0.4
      },
      "orientation": {
       "w": 0,
       "x": 0,
       "y": 1,
       "z": 0
      }
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "guess",
     "position",
     "orientation"
    ],
    "properties": {
     "guess": {
      "$ref": "common.json#/$defs/Joints"
     },
     "position": {
      "$ref": "common.json#/$defs/Vector"
     },
     "orientation": {
      "$ref": "common.json#/$defs/Quaternion"
     },
     "tcp_config": {
      "$ref": "common.json#/$defs/TcpConfig"
     },
     "avoidance_zones": {
      "$ref": "common.json#/$defs/AvoidanceZones"
     }
    }
   },
   "NudgeBody": {
    "description": "A translation along an axis of the robot frame.",
    "examples": [
     {
      "joints": [
       0,
       0.5,
       -1.7,
       0,
       -1.2,
       0
      ],
      "direction": "z",
      "offset": 0.02
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "joints",
     "direction",
     "offset"
    ],
    "properties": {
     "joints": {
      "$ref": "common.json#/$defs/Joints"
     },
     "direction": {
      "$ref": "common.json#/$defs/Axis"
     },
     "offset": {
      "type": "number",
      "minimum": -100,
      "maximum": 100,
      "description": "Shift (m)."
     },
     "tcp_config": {
      "$ref": "common.json#/$defs/TcpConfig"
     },
     "avoidance_zones": {
      "$ref": "common.json#/$defs/AvoidanceZones"
     }
    }
   },
   "RotateBody": {
    "description": "A rotation about an axis of the tool.",
    "examples": [
     {
      "joints": [
       0,
       0.5,
       -1.7,
       0,
       -1.2,
       0
      ],
      "axis": "z",
      "offset": 0.1
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "joints",
     "axis",
     "offset"
    ],
    "properties": {
     "joints": {
      "$ref": "common.json#/$defs/Joints"
     },
     "axis": {
      "$ref": "common.json#/$defs/Axis"
     },
     "offset": {
      "type": "number",
      "minimum": -1000,
      "maximum": 1000,
      "description": "Angle (rad)."
     },
     "tcp_config": {
      "$ref": "common.json#/$defs/TcpConfig"
     },
     "avoidance_zones": {
      "$ref": "common.json#/$defs/AvoidanceZones"
     }
    }
   },
   "FailedCalculation": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "result",
     "error"
    ],
    "properties": {
     "result": {
      "const": "error"
     },
     "error": {
      "$ref": "common.json#/$defs/MotionErrorCode"
     }
    }
   },
   "PoseValidReply": {
    "examples": [
     {
      "pose": {
       "valid": true,
       "status": "The pose is valid"
      }
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "pose"
    ],
    "properties": {
     "pose": {
      "type": "object",
      "additionalProperties": false,
      "required": [
       "valid",
       "status"
      ],
      "properties": {
       "valid": {
        "type": "boolean"
       },
       "status": {
        "type": "string"
       }
      }
     }
    }
   },
   "FoundPose": {
    "description": "A pose of the tool point, or an error.",
    "type": "object",
    "required": [
     "result"
    ],
    "discriminator": {
     "propertyName": "result"
    },
    "oneOf": [
     {
      "$ref": "#/$defs/CalculatedPose"
     },
     {
      "$ref": "#/$defs/FailedCalculation"
     }
    ]
   },
   "FoundJoints": {
    "description": "Joint angles, or an error.",
    "type": "object",
    "required": [
     "result"
    ],
    "discriminator": {
     "propertyName": "result"
    },
    "oneOf": [
     {
      "$ref": "#/$defs/CalculatedJoints"
     },
     {
      "$ref": "#/$defs/FailedCalculation"
     }
    ]
   },
   "ForwardKinematicsReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "fk"
    ],
    "properties": {
     "fk": {
      "$ref": "#/$defs/FoundPose"
     }
    }
   },
   "InverseKinematicsReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "ik"
    ],
    "properties": {
     "ik": {
      "$ref": "#/$defs/FoundJoints"
     }
    }
   },
   "NudgeReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "nudge"
    ],
    "properties": {
     "nudge": {
      "$ref": "#/$defs/FoundJoints"
     }
    }
   },
   "RotateReply": {
    "examples": [
     {
      "rotate": {
       "result": "error",
       "error": "j4_boundary_limit"
      }
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "rotate"
    ],
    "properties": {
     "rotate": {
      "$ref": "#/$defs/FoundJoints"
     }
    }
   },
   "CalculatedPose": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "result",
     "position",
     "orientation"
    ],
    "properties": {
     "result": {
      "const": "success"
     },
     "position": {
      "$ref": "common.json#/$defs/Vector"
     },
     "orientation": {
      "$ref": "common.json#/$defs/Quaternion"
     }
    }
   },
   "CalculatedJoints": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "result",
     "joints"
    ],
    "properties": {
     "result": {
      "const": "success"
     },
     "joints": {
      "$ref": "common.json#/$defs/Joints"
     }
    }
   }
  }
 },
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "cell.json",
  "description": "The cell: fixtures, objects, grippers, sensors, conveyors and controls around the arm (/sim/v1/cell).",
  "$defs": {
   "DigitalOutputKey": {
    "enum": [
     "d0",
     "d1",
     "d2",
     "d3",
     "ee_d0",
     "ee_d1"
    ],
    "description": "A digital output of base or end effector.",
    "examples": [
     "ee_d0"
    ]
   },
   "DigitalInputKey": {
    "enum": [
     "d0",
     "d1",
     "d2",
     "d3",
     "ee_d0",
     "ee_d1"
    ],
    "description": "A digital input of base or end effector.",
    "examples": [
     "d0"
    ]
   },
   "AnalogInputKey": {
    "enum": [
     "a0",
     "a1",
     "ee_a0",
     "ee_a1"
    ],
    "description": "An analog input of base or end effector.",
    "examples": [
     "ee_a0"
    ]
   },
   "CellSize": {
    "description": "Edge lengths (m).",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "x",
     "y",
     "z"
    ],
    "properties": {
     "x": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 5
     },
     "y": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 5
     },
     "z": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 5
     }
    }
   },
   "BoxShape": {
    "description": "A box.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "size_m"
    ],
    "properties": {
     "kind": {
      "const": "box"
     },
     "size_m": {
      "$ref": "#/$defs/CellSize"
     }
    }
   },
   "CylinderShape": {
    "description": "A cylinder that stands on its end.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "diameter_m",
     "height_m"
    ],
    "properties": {
     "kind": {
      "const": "cylinder"
     },
     "diameter_m": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 2
     },
     "height_m": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 2
     }
    }
   },
   "MicroplateShape": {
    "description": "A microplate with the footprint of ANSI/SLAS 1-2004, 127.76 mm by 85.48 mm.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind"
    ],
    "properties": {
     "kind": {
      "const": "microplate"
     },
     "height_m": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 0.1,
      "description": "Default 0.01435, the standard height."
     }
    }
   },
   "TubeShape": {
    "description": "A tube, as a cylinder with a flat bottom.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "diameter_m",
     "height_m"
    ],
    "properties": {
     "kind": {
      "const": "tube"
     },
     "diameter_m": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 0.2
     },
     "height_m": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 0.5
     }
    },
    "examples": [
     {
      "kind": "tube",
      "diameter_m": 0.016,
      "height_m": 0.1
     }
    ]
   },
   "CellShape": {
    "description": "The shape of an object. Its frame lies in the middle of its bottom face, z up.",
    "type": "object",
    "required": [
     "kind"
    ],
    "discriminator": {
     "propertyName": "kind"
    },
    "oneOf": [
     {
      "$ref": "#/$defs/BoxShape"
     },
     {
      "$ref": "#/$defs/CylinderShape"
     },
     {
      "$ref": "#/$defs/MicroplateShape"
     },
     {
      "$ref": "#/$defs/TubeShape"
     }
    ],
    "examples": [
     {
      "kind": "microplate"
     }
    ]
   },
   "CellNest": {
    "description": "A place for one object on a fixture or on another object.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "position"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "position": {
      "$ref": "common.json#/$defs/Vector",
      "description": "Where the middle of an object's bottom face lies, in the frame of the body (m)."
     },
     "orientation": {
      "$ref": "common.json#/$defs/Quaternion"
     }
    }
   },
   "CellBox": {
    "description": "A box of a fixture.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "size_m"
    ],
    "properties": {
     "size_m": {
      "$ref": "#/$defs/CellSize"
     },
     "position": {
      "$ref": "common.json#/$defs/Vector",
      "description": "Middle of the bottom face in the frame of the fixture (m); default its origin."
     },
     "orientation": {
      "$ref": "common.json#/$defs/Quaternion"
     }
    }
   },
   "CellFixture": {
    "description": "A static body: table, nest, rack, hotel or frame.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "position",
     "boxes"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "position": {
      "$ref": "common.json#/$defs/Vector",
      "description": "Origin of the fixture (m)."
     },
     "orientation": {
      "$ref": "common.json#/$defs/Quaternion"
     },
     "boxes": {
      "type": "array",
      "minItems": 1,
      "items": {
       "$ref": "#/$defs/CellBox"
      }
     },
     "nests": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/CellNest"
      }
     },
     "friction": {
      "type": "number",
      "minimum": 0,
      "maximum": 2,
      "description": "Friction coefficient; default 0.5. The smoother one of two surfaces decides."
     },
     "stiffness_n_per_m": {
      "type": "number",
      "minimum": 100,
      "maximum": 1000000,
      "description": "Stiffness of a contact with the arm; default 25000."
     }
    },
    "examples": [
     {
      "name": "table",
      "position": {
       "x": 0.45,
       "y": 0,
       "z": 0
      },
      "boxes": [
       {
        "size_m": {
         "x": 0.5,
         "y": 0.8,
         "z": 0.1
        }
       }
      ],
      "nests": [
       {
        "name": "nest A",
        "position": {
         "x": 0,
         "y": -0.2,
         "z": 0.1
        }
       }
      ]
     }
    ]
   },
   "CellObject": {
    "description": "A body that can be moved.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "shape",
     "mass_kg"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "shape": {
      "$ref": "#/$defs/CellShape"
     },
     "mass_kg": {
      "type": "number",
      "minimum": 0.0001,
      "description": "At least 0.1 g (limit cell_mass_min_kg), at most what the arm can carry."
     },
     "friction": {
      "type": "number",
      "minimum": 0,
      "maximum": 2,
      "description": "Friction coefficient; default 0.5. The smoother one of two surfaces decides."
     },
     "nest": {
      "$ref": "common.json#/$defs/Name",
      "description": "Name of the nest in which it starts; excludes position."
     },
     "position": {
      "$ref": "common.json#/$defs/Vector",
      "description": "Middle of its bottom face (m)."
     },
     "orientation": {
      "$ref": "common.json#/$defs/Quaternion"
     },
     "nests": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/CellNest"
      },
      "description": "Places for other objects on this one."
     }
    },
    "examples": [
     {
      "name": "plate 1",
      "shape": {
       "kind": "microplate"
      },
      "mass_kg": 0.06,
      "nest": "nest A"
     }
    ]
   },
   "JawGripper": {
    "description": "Two parallel jaws at the flange.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "name",
     "output",
     "tip_m",
     "stroke_m",
     "pad_width_m",
     "pad_height_m",
     "force_n",
     "closing_time_s"
    ],
    "properties": {
     "kind": {
      "const": "jaws"
     },
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "output": {
      "$ref": "#/$defs/DigitalOutputKey"
     },
     "closes_on": {
      "type": "boolean",
      "description": "Value of the output that closes the gripper; default true."
     },
     "tip_m": {
      "$ref": "common.json#/$defs/Vector",
      "description": "Grasp centre in the flange frame: midway between the pads, or the middle of the cup."
     },
     "jaw_angle_rad": {
      "type": "number",
      "minimum": -6.3,
      "maximum": 6.3,
      "description": "Angle of the closing direction from the flange's x axis, about its z axis (rad); default 0."
     },
     "stroke_m": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 0.5,
      "description": "Distance between the open pads (m)."
     },
     "pad_width_m": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 0.2,
      "description": "Size of a pad across closing direction and approach (m)."
     },
     "pad_height_m": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 0.2,
      "description": "Size of a pad along the approach (m)."
     },
     "force_n": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 1000
     },
     "closing_time_s": {
      "type": "number",
      "minimum": 0.001,
      "maximum": 10,
      "description": "Time from fully open to fully closed, or until the vacuum holds (s)."
     },
     "friction": {
      "type": "number",
      "minimum": 0,
      "maximum": 2,
      "description": "Coefficient between gripper and object; default: the object's."
     },
     "mass_kg": {
      "type": "number",
      "minimum": 0,
      "maximum": 1.25,
      "description": "Mass of the gripper; default 0."
     },
     "part_present_input": {
      "$ref": "#/$defs/DigitalInputKey",
      "description": "Input that is true while the gripper holds an object."
     },
     "closed_input": {
      "$ref": "#/$defs/DigitalInputKey",
      "description": "Input that is true while the jaws are closed upon each other."
     }
    },
    "examples": [
     {
      "kind": "jaws",
      "name": "gripper",
      "output": "ee_d0",
      "tip_m": {
       "x": 0,
       "y": 0,
       "z": 0.1
      },
      "stroke_m": 0.1,
      "force_n": 20,
      "closing_time_s": 0.2,
      "pad_width_m": 0.03,
      "pad_height_m": 0.01,
      "part_present_input": "ee_d0"
     }
    ]
   },
   "SuctionGripper": {
    "description": "A suction cup at the flange.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "name",
     "output",
     "tip_m",
     "radius_m",
     "reach_m",
     "force_n",
     "closing_time_s"
    ],
    "properties": {
     "kind": {
      "const": "suction"
     },
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "output": {
      "$ref": "#/$defs/DigitalOutputKey"
     },
     "closes_on": {
      "type": "boolean",
      "description": "Value of the output that closes the gripper; default true."
     },
     "tip_m": {
      "$ref": "common.json#/$defs/Vector",
      "description": "Grasp centre in the flange frame: midway between the pads, or the middle of the cup."
     },
     "radius_m": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 0.2,
      "description": "Radius of the cup (m)."
     },
     "reach_m": {
      "type": "number",
      "minimum": 0,
      "maximum": 0.05,
      "description": "Greatest gap between cup and surface that the vacuum closes (m)."
     },
     "force_n": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 1000
     },
     "closing_time_s": {
      "type": "number",
      "minimum": 0.001,
      "maximum": 10,
      "description": "Time from fully open to fully closed, or until the vacuum holds (s)."
     },
     "friction": {
      "type": "number",
      "minimum": 0,
      "maximum": 2,
      "description": "Coefficient between gripper and object; default: the object's."
     },
     "mass_kg": {
      "type": "number",
      "minimum": 0,
      "maximum": 1.25,
      "description": "Mass of the gripper; default 0."
     },
     "part_present_input": {
      "$ref": "#/$defs/DigitalInputKey",
      "description": "Input that is true while the gripper holds an object."
     }
    },
    "examples": [
     {
      "kind": "suction",
      "name": "cup",
      "output": "ee_d0",
      "tip_m": {
       "x": 0,
       "y": 0,
       "z": 0.1
      },
      "radius_m": 0.01,
      "reach_m": 0.002,
      "force_n": 12,
      "closing_time_s": 0.1
     }
    ]
   },
   "CellGripper": {
    "description": "A gripper at the flange, driven by an output.",
    "type": "object",
    "required": [
     "kind"
    ],
    "discriminator": {
     "propertyName": "kind"
    },
    "oneOf": [
     {
      "$ref": "#/$defs/JawGripper"
     },
     {
      "$ref": "#/$defs/SuctionGripper"
     }
    ],
    "examples": [
     {
      "kind": "jaws",
      "name": "gripper",
      "output": "ee_d0",
      "tip_m": {
       "x": 0,
       "y": 0,
       "z": 0.1
      },
      "stroke_m": 0.1,
      "force_n": 20,
      "closing_time_s": 0.2,
      "pad_width_m": 0.03,
      "pad_height_m": 0.01,
      "part_present_input": "ee_d0"
     }
    ]
   },
   "BeamSensor": {
    "description": "Active while an object crosses the line.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "name",
     "input",
     "from",
     "to"
    ],
    "properties": {
     "kind": {
      "const": "beam"
     },
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "input": {
      "$ref": "#/$defs/DigitalInputKey"
     },
     "inverted": {
      "type": "boolean",
      "description": "True: the input is false while the sensor is active. Default false."
     },
     "delay_s": {
      "type": "number",
      "minimum": 0,
      "maximum": 10,
      "description": "Time from a change to its signal (s); default 0. A change that lasts shorter is not signalled."
     },
     "from": {
      "$ref": "common.json#/$defs/Vector"
     },
     "to": {
      "$ref": "common.json#/$defs/Vector"
     }
    }
   },
   "PresenceSensor": {
    "description": "Active while the centre of an object is inside a box.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "name",
     "input",
     "position",
     "size_m"
    ],
    "properties": {
     "kind": {
      "const": "presence"
     },
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "input": {
      "$ref": "#/$defs/DigitalInputKey"
     },
     "inverted": {
      "type": "boolean",
      "description": "True: the input is false while the sensor is active. Default false."
     },
     "delay_s": {
      "type": "number",
      "minimum": 0,
      "maximum": 10,
      "description": "Time from a change to its signal (s); default 0. A change that lasts shorter is not signalled."
     },
     "position": {
      "$ref": "common.json#/$defs/Vector",
      "description": "Centre of the volume (m)."
     },
     "size_m": {
      "$ref": "#/$defs/CellSize"
     },
     "orientation": {
      "$ref": "common.json#/$defs/Quaternion"
     }
    }
   },
   "DistanceSensor": {
    "description": "Measures the distance to the first object on a line.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "name",
     "input",
     "position",
     "direction",
     "range_m",
     "at_zero",
     "at_full_scale"
    ],
    "properties": {
     "kind": {
      "const": "distance"
     },
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "input": {
      "$ref": "#/$defs/AnalogInputKey"
     },
     "delay_s": {
      "type": "number",
      "minimum": 0,
      "maximum": 10,
      "description": "Time from a change to its signal (s); default 0. A change that lasts shorter is not signalled."
     },
     "position": {
      "$ref": "common.json#/$defs/Vector"
     },
     "direction": {
      "$ref": "common.json#/$defs/Vector"
     },
     "range_m": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 5
     },
     "at_zero": {
      "type": "number",
      "minimum": 0,
      "maximum": 24,
      "description": "Signal at distance 0 (V or mA)."
     },
     "at_full_scale": {
      "type": "number",
      "minimum": 0,
      "maximum": 24,
      "description": "Signal at the end of the range and beyond (V or mA)."
     }
    }
   },
   "WeightSensor": {
    "description": "Measures the weight of what a gripper holds or a fixture carries.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "name",
     "input",
     "of",
     "full_scale_kg",
     "at_zero",
     "at_full_scale"
    ],
    "properties": {
     "kind": {
      "const": "weight"
     },
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "input": {
      "$ref": "#/$defs/AnalogInputKey"
     },
     "delay_s": {
      "type": "number",
      "minimum": 0,
      "maximum": 10,
      "description": "Time from a change to its signal (s); default 0. A change that lasts shorter is not signalled."
     },
     "of": {
      "$ref": "common.json#/$defs/Name",
      "description": "The gripper or fixture whose objects are weighed."
     },
     "full_scale_kg": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 10
     },
     "at_zero": {
      "type": "number",
      "minimum": 0,
      "maximum": 24,
      "description": "Signal at no weight (V or mA)."
     },
     "at_full_scale": {
      "type": "number",
      "minimum": 0,
      "maximum": 24,
      "description": "Signal at full scale and beyond (V or mA)."
     }
    }
   },
   "CellSensor": {
    "description": "A sensor that drives an input.",
    "type": "object",
    "required": [
     "kind"
    ],
    "discriminator": {
     "propertyName": "kind"
    },
    "oneOf": [
     {
      "$ref": "#/$defs/BeamSensor"
     },
     {
      "$ref": "#/$defs/PresenceSensor"
     },
     {
      "$ref": "#/$defs/DistanceSensor"
     },
     {
      "$ref": "#/$defs/WeightSensor"
     }
    ],
    "examples": [
     {
      "kind": "beam",
      "name": "gate",
      "input": "d0",
      "from": {
       "x": 0.3,
       "y": 0.3,
       "z": 0.12
      },
      "to": {
       "x": 0.5,
       "y": 0.3,
       "z": 0.12
      }
     }
    ]
   },
   "ConveyorEncoder": {
    "description": "The travel of a belt as an analog signal.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "input",
     "span_m",
     "at_zero",
     "at_full_scale"
    ],
    "properties": {
     "input": {
      "$ref": "#/$defs/AnalogInputKey"
     },
     "span_m": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 100,
      "description": "Travel after which the signal starts again (m)."
     },
     "at_zero": {
      "type": "number",
      "minimum": 0,
      "maximum": 24,
      "description": "Signal at the start of the span (V or mA)."
     },
     "at_full_scale": {
      "type": "number",
      "minimum": 0,
      "maximum": 24,
      "description": "Signal at its end (V or mA)."
     }
    }
   },
   "CellConveyor": {
    "description": "A conveyor whose upper face moves.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "position",
     "size_m",
     "speed_m_s"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "position": {
      "$ref": "common.json#/$defs/Vector",
      "description": "Middle of the bottom face (m)."
     },
     "orientation": {
      "$ref": "common.json#/$defs/Quaternion"
     },
     "size_m": {
      "$ref": "#/$defs/CellSize"
     },
     "speed_m_s": {
      "type": "number",
      "minimum": -1,
      "maximum": 1,
      "description": "Speed of the surface along its x axis (m/s)."
     },
     "output": {
      "$ref": "#/$defs/DigitalOutputKey",
      "description": "Output that runs it; without one it always runs."
     },
     "runs_on": {
      "type": "boolean",
      "description": "Value of the output that runs it; default true."
     },
     "friction": {
      "type": "number",
      "minimum": 0,
      "maximum": 2,
      "description": "Default 0.8."
     },
     "encoder": {
      "$ref": "#/$defs/ConveyorEncoder"
     }
    },
    "examples": [
     {
      "name": "belt",
      "position": {
       "x": 0.4,
       "y": 0.3,
       "z": 0
      },
      "size_m": {
       "x": 0.6,
       "y": 0.15,
       "z": 0.1
      },
      "speed_m_s": 0.1,
      "output": "d1"
     }
    ]
   },
   "CellButton": {
    "description": "A push button.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "name",
     "input"
    ],
    "properties": {
     "kind": {
      "const": "button"
     },
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "input": {
      "$ref": "#/$defs/DigitalInputKey"
     },
     "inverted": {
      "type": "boolean",
      "description": "True: the input is false while pressed. Default false."
     }
    }
   },
   "CellDoor": {
    "description": "A door of the guard.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "name"
    ],
    "properties": {
     "kind": {
      "const": "door"
     },
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "input": {
      "$ref": "#/$defs/DigitalInputKey"
     },
     "inverted": {
      "type": "boolean",
      "description": "True: the input is false while open. Default false."
     },
     "stops": {
      "type": "boolean",
      "description": "True: the open door engages the emergency stop. Default true."
     }
    }
   },
   "CellControl": {
    "description": "What a person operates.",
    "type": "object",
    "required": [
     "kind"
    ],
    "discriminator": {
     "propertyName": "kind"
    },
    "oneOf": [
     {
      "$ref": "#/$defs/CellButton"
     },
     {
      "$ref": "#/$defs/CellDoor"
     }
    ],
    "examples": [
     {
      "kind": "door",
      "name": "door",
      "stops": true
     }
    ]
   },
   "Cell": {
    "description": "The things around the arm. Lengths in m, robot frame; every name is unique in the cell.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "fixtures": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/CellFixture"
      }
     },
     "objects": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/CellObject"
      }
     },
     "grippers": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/CellGripper"
      }
     },
     "sensors": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/CellSensor"
      }
     },
     "conveyors": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/CellConveyor"
      }
     },
     "controls": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/CellControl"
      }
     }
    },
    "examples": [
     {
      "name": "one plate",
      "fixtures": [
       {
        "name": "table",
        "position": {
         "x": 0.45,
         "y": 0,
         "z": 0
        },
        "boxes": [
         {
          "size_m": {
           "x": 0.5,
           "y": 0.8,
           "z": 0.1
          }
         }
        ],
        "nests": [
         {
          "name": "nest A",
          "position": {
           "x": 0,
           "y": -0.2,
           "z": 0.1
          }
         }
        ]
       }
      ],
      "objects": [
       {
        "name": "plate 1",
        "shape": {
         "kind": "microplate"
        },
        "mass_kg": 0.06,
        "nest": "nest A"
       }
      ],
      "grippers": [
       {
        "kind": "jaws",
        "name": "gripper",
        "output": "ee_d0",
        "tip_m": {
         "x": 0,
         "y": 0,
         "z": 0.1
        },
        "stroke_m": 0.1,
        "force_n": 20,
        "closing_time_s": 0.2,
        "pad_width_m": 0.03,
        "pad_height_m": 0.01,
        "part_present_input": "ee_d0"
       }
      ],
      "sensors": [
       {
        "kind": "beam",
        "name": "gate",
        "input": "d0",
        "from": {
         "x": 0.3,
         "y": 0.3,
         "z": 0.12
        },
        "to": {
         "x": 0.5,
         "y": 0.3,
         "z": 0.12
        }
       }
      ],
      "conveyors": [
       {
        "name": "belt",
        "position": {
         "x": 0.4,
         "y": 0.3,
         "z": 0
        },
        "size_m": {
         "x": 0.6,
         "y": 0.15,
         "z": 0.1
        },
        "speed_m_s": 0.1,
        "output": "d1"
       }
      ],
      "controls": [
       {
        "kind": "door",
        "name": "door",
        "stops": true
       }
      ]
     }
    ]
   },
   "CellObjectState": {
    "description": "An object now.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "position",
     "orientation",
     "status",
     "at",
     "held_by"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "position": {
      "$ref": "common.json#/$defs/Vector",
      "description": "Middle of its bottom face (m)."
     },
     "orientation": {
      "$ref": "common.json#/$defs/Quaternion"
     },
     "status": {
      "enum": [
       "resting",
       "moving",
       "held",
       "tipped",
       "missing"
      ]
     },
     "at": {
      "type": [
       "string",
       "null"
      ],
      "description": "The nest, else the fixture, conveyor or object on which it rests, or `floor`; null while it moves or is held."
     },
     "held_by": {
      "type": [
       "string",
       "null"
      ],
      "description": "The gripper that holds it."
     }
    },
    "examples": [
     {
      "name": "plate 1",
      "position": {
       "x": 0.45,
       "y": -0.2,
       "z": 0.1
      },
      "orientation": {
       "w": 1,
       "x": 0,
       "y": 0,
       "z": 0
      },
      "status": "resting",
      "at": "nest A",
      "held_by": null
     }
    ]
   },
   "CellGripperState": {
    "description": "A gripper now.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "opening_m",
     "closed",
     "holds"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "opening_m": {
      "type": "number",
      "description": "Distance between the pads; 0 for suction."
     },
     "closed": {
      "type": "boolean",
      "description": "Whether it closes or has closed; a jammed one does not follow its output."
     },
     "holds": {
      "type": [
       "string",
       "null"
      ]
     },
     "holds_at": {
      "type": "object",
      "description": "Pose of the held object's bottom face in the flange frame (m); only while it holds one.",
      "additionalProperties": false,
      "required": [
       "position",
       "orientation"
      ],
      "properties": {
       "position": {
        "$ref": "common.json#/$defs/Vector"
       },
       "orientation": {
        "$ref": "common.json#/$defs/Quaternion"
       }
      }
     }
    },
    "examples": [
     {
      "name": "gripper",
      "opening_m": 0.1,
      "closed": false,
      "holds": null
     }
    ]
   },
   "CellSensorState": {
    "description": "A sensor now.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "active",
     "value"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "active": {
      "type": "boolean",
      "description": "Whether it detects something; an analog one: whether it reads more than nothing."
     },
     "value": {
      "type": [
       "boolean",
       "number"
      ],
      "description": "The value that it gives (V or mA where analog); its input takes the nearest in its range."
     }
    }
   },
   "CellConveyorState": {
    "description": "A conveyor now.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "running",
     "travel_m"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "running": {
      "type": "boolean"
     },
     "travel_m": {
      "type": "number",
      "description": "How far the belt has moved along its own x (m); negative where its speed is."
     }
    }
   },
   "CellControlState": {
    "description": "A button or door now.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "active"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "active": {
      "type": "boolean",
      "description": "Pressed, or open."
     }
    }
   },
   "CellState": {
    "description": "The moving parts of a cell now.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "objects",
     "grippers",
     "sensors",
     "conveyors",
     "controls"
    ],
    "properties": {
     "objects": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/CellObjectState"
      }
     },
     "grippers": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/CellGripperState"
      }
     },
     "sensors": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/CellSensorState"
      }
     },
     "conveyors": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/CellConveyorState"
      }
     },
     "controls": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/CellControlState"
      }
     }
    },
    "examples": [
     {
      "objects": [
       {
        "name": "plate 1",
        "position": {
         "x": 0.45,
         "y": -0.2,
         "z": 0.1
        },
        "orientation": {
         "w": 1,
         "x": 0,
         "y": 0,
         "z": 0
        },
        "status": "resting",
        "at": "nest A",
        "held_by": null
       }
      ],
      "grippers": [
       {
        "name": "gripper",
        "opening_m": 0.1,
        "closed": false,
        "holds": null
       }
      ],
      "sensors": [
       {
        "name": "gate",
        "active": false,
        "value": false
       }
      ],
      "conveyors": [
       {
        "name": "belt",
        "running": false,
        "travel_m": 0
       }
      ],
      "controls": [
       {
        "name": "door",
        "active": false
       }
      ]
     }
    ]
   },
   "CellEvent": {
    "description": "Something that happened in the cell.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "kind",
     "at_s",
     "tick",
     "object",
     "by",
     "at",
     "position",
     "orientation",
     "text"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "kind": {
      "enum": [
       "grasped",
       "missed",
       "released",
       "dropped",
       "settled",
       "tipped",
       "slipped",
       "jammed",
       "sensor",
       "passed"
      ]
     },
     "at_s": {
      "type": "number",
      "description": "Simulated time since the start (s)."
     },
     "tick": {
      "type": "integer",
      "minimum": 0
     },
     "object": {
      "type": [
       "string",
       "null"
      ],
      "description": "The object; of `missed` the nearest one; null where there is none."
     },
     "by": {
      "type": [
       "string",
       "null"
      ],
      "description": "The gripper or sensor."
     },
     "at": {
      "type": [
       "string",
       "null"
      ],
      "description": "The nest, fixture, conveyor or object at which it happened."
     },
     "position": {
      "$ref": "common.json#/$defs/Vector",
      "description": "Position of the object, or of the gripper or sensor (m)."
     },
     "orientation": {
      "$ref": "common.json#/$defs/Quaternion"
     },
     "text": {
      "type": "string",
      "description": "What happened, in a sentence."
     }
    },
    "examples": [
     {
      "id": 1,
      "kind": "grasped",
      "at_s": 12.48,
      "tick": 3120,
      "object": "plate 1",
      "by": "gripper",
      "at": "nest A",
      "position": {
       "x": 0.45,
       "y": -0.2,
       "z": 0.1
      },
      "orientation": {
       "w": 1,
       "x": 0,
       "y": 0,
       "z": 0
      },
      "text": "gripper grasped plate 1 at nest A"
     }
    ]
   },
   "CellReply": {
    "description": "The cell as described, and its state; null without a cell.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "cell",
     "state"
    ],
    "properties": {
     "cell": {
      "oneOf": [
       {
        "type": "null"
       },
       {
        "$ref": "#/$defs/Cell"
       }
      ]
     },
     "state": {
      "oneOf": [
       {
        "type": "null"
       },
       {
        "$ref": "#/$defs/CellState"
       }
      ]
     }
    },
    "examples": [
     {
      "cell": {
       "name": "one plate",
       "fixtures": [
        {
         "name": "table",
         "position": {
          "x": 0.45,
          "y": 0,
          "z": 0
         },
         "boxes": [
          {
           "size_m": {
            "x": 0.5,
            "y": 0.8,
            "z": 0.1
           }
          }
         ],
         "nests": [
          {
           "name": "nest A",
           "position": {
            "x": 0,
            "y": -0.2,
            "z": 0.1
           }
          }
         ]
        }
       ],
       "objects": [
        {
         "name": "plate 1",
         "shape": {
          "kind": "microplate"
         },
         "mass_kg": 0.06,
         "nest": "nest A"
        }
       ],
       "grippers": [
        {
         "kind": "jaws",
         "name": "gripper",
         "output": "ee_d0",
         "tip_m": {
          "x": 0,
          "y": 0,
          "z": 0.1
         },
         "stroke_m": 0.1,
         "force_n": 20,
         "closing_time_s": 0.2,
         "pad_width_m": 0.03,
         "pad_height_m": 0.01,
         "part_present_input": "ee_d0"
        }
       ],
       "sensors": [
        {
         "kind": "beam",
         "name": "gate",
         "input": "d0",
         "from": {
          "x": 0.3,
          "y": 0.3,
          "z": 0.12
         },
         "to": {
          "x": 0.5,
          "y": 0.3,
          "z": 0.12
         }
        }
       ],
       "conveyors": [
        {
         "name": "belt",
         "position": {
          "x": 0.4,
          "y": 0.3,
          "z": 0
         },
         "size_m": {
          "x": 0.6,
          "y": 0.15,
          "z": 0.1
         },
         "speed_m_s": 0.1,
         "output": "d1"
        }
       ],
       "controls": [
        {
         "kind": "door",
         "name": "door",
         "stops": true
        }
       ]
      },
      "state": {
       "objects": [
        {
         "name": "plate 1",
         "position": {
          "x": 0.45,
          "y": -0.2,
          "z": 0.1
         },
         "orientation": {
          "w": 1,
          "x": 0,
          "y": 0,
          "z": 0
         },
         "status": "resting",
         "at": "nest A",
         "held_by": null
        }
       ],
       "grippers": [
        {
         "name": "gripper",
         "opening_m": 0.1,
         "closed": false,
         "holds": null
        }
       ],
       "sensors": [
        {
         "name": "gate",
         "active": false,
         "value": false
        }
       ],
       "conveyors": [
        {
         "name": "belt",
         "running": false,
         "travel_m": 0
        }
       ],
       "controls": [
        {
         "name": "door",
         "active": false
        }
       ]
      }
     }
    ]
   },
   "CellObjectReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "object",
     "events",
     "faults"
    ],
    "properties": {
     "object": {
      "$ref": "#/$defs/CellObjectState"
     },
     "events": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/CellEvent"
      },
      "description": "Its latest events, oldest first."
     },
     "faults": {
      "type": "array",
      "items": {
       "type": "string"
      },
      "description": "Injected faults of the object and of the parts of the cell, each as a sentence."
     }
    },
    "examples": [
     {
      "object": {
       "name": "plate 1",
       "position": {
        "x": 0.45,
        "y": -0.2,
        "z": 0.1
       },
       "orientation": {
        "w": 1,
        "x": 0,
        "y": 0,
        "z": 0
       },
       "status": "resting",
       "at": "nest A",
       "held_by": null
      },
      "events": [
       {
        "id": 1,
        "kind": "grasped",
        "at_s": 12.48,
        "tick": 3120,
        "object": "plate 1",
        "by": "gripper",
        "at": "nest A",
        "position": {
         "x": 0.45,
         "y": -0.2,
         "z": 0.1
        },
        "orientation": {
         "w": 1,
         "x": 0,
         "y": 0,
         "z": 0
        },
        "text": "gripper grasped plate 1 at nest A"
       }
      ],
      "faults": [
       "gripper is jammed"
      ]
     }
    ]
   },
   "CellEventsReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "events"
    ],
    "properties": {
     "events": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/CellEvent"
      },
      "description": "The latest events, oldest first."
     }
    },
    "examples": [
     {
      "events": [
       {
        "id": 1,
        "kind": "grasped",
        "at_s": 12.48,
        "tick": 3120,
        "object": "plate 1",
        "by": "gripper",
        "at": "nest A",
        "position": {
         "x": 0.45,
         "y": -0.2,
         "z": 0.1
        },
        "orientation": {
         "w": 1,
         "x": 0,
         "y": 0,
         "z": 0
        },
        "text": "gripper grasped plate 1 at nest A"
       }
      ]
     }
    ]
   },
   "MoveObjectBody": {
    "description": "Where a person puts the object.",
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
     "nest": {
      "$ref": "common.json#/$defs/Name",
      "description": "The nest to put it in; excludes position."
     },
     "position": {
      "$ref": "common.json#/$defs/Vector",
      "description": "Middle of its bottom face (m)."
     },
     "orientation": {
      "$ref": "common.json#/$defs/Quaternion"
     }
    },
    "examples": [
     {
      "nest": "nest A"
     }
    ]
   },
   "CellControlBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "active"
    ],
    "properties": {
     "active": {
      "type": "boolean",
      "description": "Pressed, or open."
     }
    },
    "examples": [
     {
      "active": true
     }
    ]
   },
   "ObjectUntilBody": {
    "description": "Where an object should be.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "object",
     "limit_s"
    ],
    "properties": {
     "object": {
      "$ref": "common.json#/$defs/Name"
     },
     "at": {
      "$ref": "common.json#/$defs/Name",
      "description": "The nest, fixture, conveyor or object where it should rest."
     },
     "held_by": {
      "$ref": "common.json#/$defs/Name",
      "description": "The gripper that should hold it."
     },
     "within_mm": {
      "type": "number",
      "minimum": 0,
      "maximum": 10000,
      "description": "Distance from `at`, which must be a nest then; default 10."
     },
     "limit_s": {
      "type": "number",
      "minimum": 0,
      "maximum": 31622400,
      "description": "Maximum simulated time (s)."
     }
    },
    "examples": [
     {
      "object": "plate 1",
      "at": "nest B",
      "limit_s": 60
     }
    ]
   },
   "ObjectUntilReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "reached",
     "object",
     "clock"
    ],
    "properties": {
     "reached": {
      "type": "boolean"
     },
     "object": {
      "$ref": "#/$defs/CellObjectState"
     },
     "clock": {
      "$ref": "sim.json#/$defs/SimClock"
     }
    },
    "examples": [
     {
      "reached": true,
      "object": {
       "name": "plate 1",
       "position": {
        "x": 0.45,
        "y": -0.2,
        "z": 0.1
       },
       "orientation": {
        "w": 1,
        "x": 0,
        "y": 0,
        "z": 0
       },
       "status": "resting",
       "at": "nest A",
       "held_by": null
      },
      "clock": {
       "tick": 500,
       "now_s": 2,
       "date": "2020-01-01T00:00:02.000Z",
       "pace": "stepped",
       "paused": false,
       "real_time_factor": 0
      }
     }
    ]
   },
   "SimCellEvent": {
    "description": "The cell was replaced or removed.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "cell"
    ],
    "properties": {
     "type": {
      "const": "cell"
     },
     "cell": {
      "oneOf": [
       {
        "type": "null"
       },
       {
        "$ref": "#/$defs/Cell"
       }
      ]
     }
    },
    "examples": [
     {
      "type": "cell",
      "cell": null
     }
    ]
   },
   "SimCellStateEvent": {
    "description": "The parts of the cell that changed since the last such message, each whole; at most every 20 ms.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "tick",
     "state"
    ],
    "properties": {
     "type": {
      "const": "cell_state"
     },
     "tick": {
      "type": "integer",
      "minimum": 0
     },
     "state": {
      "$ref": "#/$defs/CellState"
     }
    },
    "examples": [
     {
      "type": "cell_state",
      "tick": 3120,
      "state": {
       "objects": [
        {
         "name": "plate 1",
         "position": {
          "x": 0.45,
          "y": -0.2,
          "z": 0.1
         },
         "orientation": {
          "w": 1,
          "x": 0,
          "y": 0,
          "z": 0
         },
         "status": "resting",
         "at": "nest A",
         "held_by": null
        }
       ],
       "grippers": [
        {
         "name": "gripper",
         "opening_m": 0.1,
         "closed": false,
         "holds": null
        }
       ],
       "sensors": [],
       "conveyors": [],
       "controls": []
      }
     }
    ]
   },
   "SimCellHappenedEvent": {
    "description": "Something happened in the cell.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "event"
    ],
    "properties": {
     "type": {
      "const": "cell_event"
     },
     "event": {
      "$ref": "#/$defs/CellEvent"
     }
    },
    "examples": [
     {
      "type": "cell_event",
      "event": {
       "id": 1,
       "kind": "grasped",
       "at_s": 12.48,
       "tick": 3120,
       "object": "plate 1",
       "by": "gripper",
       "at": "nest A",
       "position": {
        "x": 0.45,
        "y": -0.2,
        "z": 0.1
       },
       "orientation": {
        "w": 1,
        "x": 0,
        "y": 0,
        "z": 0
       },
       "text": "gripper grasped plate 1 at nest A"
      }
     }
    ]
   },
   "RehearsalExpectations": {
    "description": "What `armtwin rehearse` expects of each run of a toolpath.",
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
     "objects": {
      "type": "array",
      "description": "Where objects are at the end.",
      "items": {
       "type": "object",
       "additionalProperties": false,
       "required": [
        "object"
       ],
       "properties": {
        "object": {
         "$ref": "common.json#/$defs/Name"
        },
        "at": {
         "$ref": "common.json#/$defs/Name",
         "description": "The nest, fixture, conveyor or object where it rests."
        },
        "held_by": {
         "$ref": "common.json#/$defs/Name",
         "description": "The gripper that holds it."
        },
        "within_mm": {
         "type": "number",
         "minimum": 0,
         "maximum": 10000,
         "description": "Distance from `at`, which must be a nest then; default 10."
        }
       }
      }
     },
     "max_duration_s": {
      "type": "number",
      "minimum": 0,
      "description": "Longest run (s)."
     },
     "max_contact_force_n": {
      "type": "number",
      "minimum": 0,
      "description": "Greatest force of a contact of arm, tool, gripper or what it holds (N)."
     },
     "signals": {
      "type": "array",
      "description": "Changes of signals that occur in this order, among others; those of one tick in either order.",
      "items": {
       "type": "object",
       "additionalProperties": false,
       "required": [
        "value"
       ],
       "description": "One change of a signal: of an output or of an input.",
       "properties": {
        "output": {
         "$ref": "#/$defs/DigitalOutputKey"
        },
        "input": {
         "$ref": "#/$defs/DigitalInputKey"
        },
        "value": {
         "type": "boolean"
        }
       }
      }
     },
     "press": {
      "type": "array",
      "description": "Buttons that are pressed and doors that are opened when the run starts.",
      "items": {
       "$ref": "common.json#/$defs/Name"
      }
     },
     "min_share": {
      "type": "number",
      "minimum": 0,
      "maximum": 1,
      "description": "Least share of the variations that must work; default 0."
     }
    },
    "examples": [
     {
      "objects": [
       {
        "object": "part 1",
        "at": "B1",
        "within_mm": 1
       }
      ],
      "max_duration_s": 20,
      "max_contact_force_n": 5,
      "signals": [
       {
        "output": "ee_d0",
        "value": true
       },
       {
        "output": "ee_d0",
        "value": false
       }
      ]
     }
    ]
   }
  }
 },
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "common.json",
  "description": "Types shared by several parts of the API (§2.4 to §2.8, §7).",
  "$defs": {
   "Joints": {
    "description": "Six joint angles in radians; all zeros is the upright pose.",
    "type": "array",
    "minItems": 6,
    "maxItems": 6,
    "items": {
     "type": "number",
     "minimum": -10000,
     "maximum": 10000
    },
    "examples": [
     [
      0,
      0.5,
      -1.7,
      0,
      -1.2,
      0
     ]
    ]
   },
   "Vector": {
    "description": "Three numbers along the axes of a frame; metres unless said otherwise.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "x",
     "y",
     "z"
    ],
    "properties": {
     "x": {
      "type": "number",
      "minimum": -10000,
      "maximum": 10000
     },
     "y": {
      "type": "number",
      "minimum": -10000,
      "maximum": 10000
     },
     "z": {
      "type": "number",
      "minimum": -10000,
      "maximum": 10000
     }
    },
    "examples": [
     {
      "x": 0.3,
      "y": 0,
      "z": 0.4
     }
    ]
   },
   "Quaternion": {
    "description": "Orientation with scalar part w; normalised by the service, never all zeros.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "w",
     "x",
     "y",
     "z"
    ],
    "properties": {
     "w": {
      "type": "number",
      "minimum": -10000,
      "maximum": 10000
     },
     "x": {
      "type": "number",
      "minimum": -10000,
      "maximum": 10000
     },
     "y": {
      "type": "number",
      "minimum": -10000,
      "maximum": 10000
     },
     "z": {
      "type": "number",
      "minimum": -10000,
      "maximum": 10000
     }
    },
    "not": {
     "properties": {
      "w": {
       "const": 0
      },
      "x": {
       "const": 0
      },
      "y": {
       "const": 0
      },
      "z": {
       "const": 0
      }
     },
     "required": [
      "w",
      "x",
      "y",
      "z"
     ]
    },
    "x-problem": "must not be all zeros: zero has no direction; upright is {w: 1, x: 0, y: 0, z: 0}",
    "examples": [
     {
      "w": 1,
      "x": 0,
      "y": 0,
      "z": 0
     }
    ]
   },
   "TcpConfig": {
    "description": "The tool: a cylinder from the flange to its tip. Absent, the tool point is the flange.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "offsets",
     "rotations",
     "radius"
    ],
    "properties": {
     "offsets": {
      "$ref": "#/$defs/Vector",
      "description": "Tip in end-effector space (m)."
     },
     "rotations": {
      "$ref": "#/$defs/Vector",
      "description": "Rotation of the tool at its tip about fixed x, then y, then z (rad)."
     },
     "radius": {
      "type": "number",
      "minimum": 0,
      "maximum": 10,
      "description": "Radius of the cylinder (m)."
     }
    },
    "examples": [
     {
      "offsets": {
       "x": 0,
       "y": 0,
       "z": 0.1
      },
      "rotations": {
       "x": 0,
       "y": 0,
       "z": 0
      },
      "radius": 0.03
     }
    ]
   },
   "AvoidanceZone": {
    "description": "A box that the robot must stay out of (inside) or within (outside).",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "position",
     "orientation",
     "dimensions",
     "avoid"
    ],
    "properties": {
     "name": {
      "type": "string",
      "minLength": 1,
      "maxLength": 128,
      "description": "Unique among the zones."
     },
     "position": {
      "$ref": "#/$defs/Vector",
      "description": "Origin corner in the robot frame (m)."
     },
     "orientation": {
      "$ref": "#/$defs/Quaternion"
     },
     "dimensions": {
      "$ref": "#/$defs/Dimensions"
     },
     "avoid": {
      "enum": [
       "inside",
       "outside"
      ]
     }
    },
    "examples": [
     {
      "name": "table",
      "position": {
       "x": 0.2,
       "y": -0.3,
       "z": 0
      },
      "orientation": {
       "w": 1,
       "x": 0,
       "y": 0,
       "z": 0
      },
      "dimensions": {
       "x": 0.4,
       "y": 0.6,
       "z": 0.05
      },
      "avoid": "inside"
     }
    ]
   },
   "Dimensions": {
    "description": "Lengths of a box from its corner (m).",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "x",
     "y",
     "z"
    ],
    "properties": {
     "x": {
      "type": "number",
      "minimum": 0,
      "maximum": 10000
     },
     "y": {
      "type": "number",
      "minimum": 0,
      "maximum": 10000
     },
     "z": {
      "type": "number",
      "minimum": 0,
      "maximum": 10000
     }
    }
   },
   "AvoidanceZones": {
    "description": "At most ten zones with unique names.",
    "type": "array",
    "maxItems": 10,
    "items": {
     "$ref": "#/$defs/AvoidanceZone"
    }
   },
   "IoAddress": {
    "description": "One input or output: base digital 0 to 3, every other kind 0 to 1.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "location",
     "type",
     "index"
    ],
    "properties": {
     "location": {
      "enum": [
       "base",
       "end_effector"
      ]
     },
     "type": {
      "enum": [
       "analog",
       "digital"
      ]
     },
     "index": {
      "type": "integer",
      "minimum": 0,
      "maximum": 3
     }
    },
    "if": {
     "properties": {
      "location": {
       "const": "base"
      },
      "type": {
       "const": "digital"
      }
     }
    },
    "else": {
     "properties": {
      "index": {
       "maximum": 1
      }
     }
    },
    "examples": [
     {
      "location": "base",
      "type": "digital",
      "index": 2
     }
    ]
   },
   "AnalogMode": {
    "description": "Signal of an analog line: 0 to 10 V or 4 to 20 mA.",
    "enum": [
     "voltage",
     "current"
    ]
   },
   "IoValue": {
    "description": "Boolean for digital, number for analog.",
    "type": [
     "boolean",
     "number"
    ]
   },
   "RunMode": {
    "description": "Teach mode is slow and requires a renewed lock; automatic mode does not.",
    "enum": [
     "automatic",
     "teach"
    ]
   },
   "Axis": {
    "enum": [
     "x",
     "y",
     "z"
    ]
   },
   "Sensitivity": {
    "description": "Higher values let lighter impacts stop the robot.",
    "enum": [
     "low",
     "medium",
     "high"
    ]
   },
   "Role": {
    "enum": [
     "admin",
     "user"
    ]
   },
   "Seconds": {
    "description": "A duration (s), above 0.",
    "type": "number",
    "exclusiveMinimum": 0,
    "maximum": 1000000
   },
   "Speed": {
    "description": "Speed of the tool point (m/s); limited to the maximum of the mode.",
    "type": "number",
    "exclusiveMinimum": 0,
    "maximum": 1000000
   },
   "Name": {
    "type": "string",
    "minLength": 1,
    "maxLength": 128
   },
   "TimeOfDay": {
    "type": "string",
    "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$",
    "x-problem": "must be a time of day as HH:MM:SS, 00:00:00 to 23:59:59",
    "examples": [
     "08:00:00"
    ]
   },
   "MotionErrorCode": {
    "description": "Error code of a motion or a calculation (§2.4).",
    "tsType": "MotionError",
    "enum": [
     "unknown",
     "shoulder_singularity",
     "shoulder_singularity_warning",
     "elbow_singularity",
     "elbow_singularity_warning",
     "wrist_singularity",
     "wrist_singularity_warning",
     "singularity",
     "ik_failure",
     "analytical_ik_failure",
     "j0_boundary_limit",
     "j1_boundary_limit",
     "j2_boundary_limit",
     "j3_boundary_limit",
     "j4_boundary_limit",
     "j5_boundary_limit",
     "reach_limit",
     "velocity_calculation_error",
     "acceleration_calculation_error",
     "linear_path_calculation_error",
     "cubic_path_calculation_error",
     "j0_angular_velocity_limit",
     "j1_angular_velocity_limit",
     "j2_angular_velocity_limit",
     "j3_angular_velocity_limit",
     "j4_angular_velocity_limit",
     "j5_angular_velocity_limit",
     "j0_angular_acceleration_limit",
     "j1_angular_acceleration_limit",
     "j2_angular_acceleration_limit",
     "j3_angular_acceleration_limit",
     "j4_angular_acceleration_limit",
     "j5_angular_acceleration_limit",
     "ee_over_speed",
     "ee_over_acceleration",
     "ee_over_energy",
     "j0_over_energy",
     "j1_over_energy",
     "j2_over_energy",
     "j3_over_energy",
     "j4_over_energy",
     "j5_over_energy",
     "plane_collision",
     "self_collision",
     "object_collision",
     "generation_error",
     "result_generation_error",
     "time_too_short",
     "time_too_short_switched_to_min_time",
     "too_few_waypoints",
     "too_many_waypoints",
     "could_not_calculate_min_time"
    ]
   },
   "ErrorBody": {
    "description": "The body of every error reply (§7).",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "error"
    ],
    "properties": {
     "error": {
      "type": "object",
      "additionalProperties": false,
      "required": [
       "error_code",
       "title",
       "details"
      ],
      "properties": {
       "error_code": {
        "enum": [
         0,
         1,
         3,
         4,
         5,
         6,
         8
        ]
       },
       "title": {
        "type": "string"
       },
       "details": {
        "description": "Details, or null.",
        "type": [
         "string",
         "array",
         "object",
         "null"
        ]
       }
      }
     }
    },
    "examples": [
     {
      "error": {
       "error_code": 1,
       "title": "ERROR_WRONG_STATE",
       "details": "pause is not possible while the robot is ready; it needs: running, stopping"
      }
     }
    ]
   },
   "Nothing": {
    "description": "An empty object.",
    "type": "object",
    "additionalProperties": false
   }
  }
 },
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "config.json",
  "description": "Information and software updates (§4.8).",
  "$defs": {
   "VersionsReply": {
    "examples": [
     {
      "APIs": [
       "v1"
      ],
      "robot": "4.9.0"
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "APIs",
     "robot"
    ],
    "properties": {
     "APIs": {
      "type": "array",
      "items": {
       "type": "string"
      }
     },
     "robot": {
      "type": "string"
     }
    }
   },
   "NameReply": {
    "examples": [
     {
      "name": "armtwin"
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name"
    ],
    "properties": {
     "name": {
      "type": "string"
     }
    }
   },
   "Changelog": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "version",
     "content"
    ],
    "properties": {
     "version": {
      "type": "string"
     },
     "content": {
      "type": "string"
     }
    }
   },
   "Update": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "version",
     "changelogs"
    ],
    "properties": {
     "version": {
      "type": "string"
     },
     "changelogs": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/Changelog"
      }
     }
    }
   },
   "UpdatesReply": {
    "examples": [
     {
      "updates": [
       {
        "version": "4.10.0",
        "changelogs": [
         {
          "version": "4.10.0",
          "content": "Smoother stops"
         }
        ]
       }
      ]
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "updates"
    ],
    "properties": {
     "updates": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/Update"
      }
     }
    }
   },
   "ApplyUpdateBody": {
    "examples": [
     {
      "version": "4.10.0"
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "version"
    ],
    "properties": {
     "version": {
      "type": "string",
      "minLength": 1,
      "maxLength": 64
     }
    }
   },
   "UpdatingReply": {
    "examples": [
     {
      "updating": true
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "updating"
    ],
    "properties": {
     "updating": {
      "const": true
     }
    }
   }
  }
 },
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "controls.json",
  "description": "Bodies and replies of the robot controls (§4.5).",
  "$defs": {
   "RunBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "mode",
     "loop"
    ],
    "properties": {
     "mode": {
      "$ref": "common.json#/$defs/RunMode"
     },
     "loop": {
      "type": "integer",
      "minimum": 0,
      "maximum": 2147483647,
      "description": "Number of loops; 0 means endless."
     }
    },
    "examples": [
     {
      "mode": "teach",
      "loop": 1
     }
    ]
   },
   "HomeBody": {
    "description": "home always runs in teach mode; the mode may be stated.",
    "type": "object",
    "additionalProperties": false,
    "properties": {
     "mode": {
      "const": "teach"
     }
    },
    "examples": [
     {
      "mode": "teach"
     }
    ]
   },
   "GoToBody": {
    "description": "Only one of time and max_speed; with neither, max_speed is 0.25 m/s.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "mode",
     "joints"
    ],
    "properties": {
     "mode": {
      "$ref": "common.json#/$defs/RunMode"
     },
     "joints": {
      "$ref": "common.json#/$defs/Joints"
     },
     "time": {
      "$ref": "common.json#/$defs/Seconds"
     },
     "max_speed": {
      "$ref": "common.json#/$defs/Speed"
     },
     "tcp_config": {
      "$ref": "common.json#/$defs/TcpConfig"
     },
     "avoidance_zones": {
      "$ref": "common.json#/$defs/AvoidanceZones"
     }
    },
    "not": {
     "required": [
      "time",
      "max_speed"
     ]
    },
    "x-problem": "must not give both time and max_speed: keep one of them",
    "examples": [
     {
      "mode": "teach",
      "joints": [
       0,
       0.5,
       -1.7,
       0,
       -1.2,
       0
      ],
      "max_speed": 0.1
     }
    ]
   },
   "SchedulerBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "enabled"
    ],
    "properties": {
     "enabled": {
      "type": "boolean"
     },
     "start_time": {
      "$ref": "common.json#/$defs/TimeOfDay"
     },
     "end_time": {
      "$ref": "common.json#/$defs/TimeOfDay"
     }
    },
    "if": {
     "properties": {
      "enabled": {
       "const": true
      }
     }
    },
    "then": {
     "required": [
      "start_time",
      "end_time"
     ]
    },
    "else": {
     "not": {
      "anyOf": [
       {
        "required": [
         "start_time"
        ]
       },
       {
        "required": [
         "end_time"
        ]
       }
      ]
     },
     "x-problem": "must not give times when disabling: send only {\"enabled\": false}"
    },
    "examples": [
     {
      "enabled": true,
      "start_time": "08:00:00",
      "end_time": "17:30:00"
     }
    ]
   },
   "CollisionDetectionBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "enabled"
    ],
    "properties": {
     "enabled": {
      "type": "boolean"
     },
     "sensitivity": {
      "$ref": "common.json#/$defs/Sensitivity"
     }
    },
    "if": {
     "properties": {
      "enabled": {
       "const": true
      }
     }
    },
    "then": {
     "required": [
      "sensitivity"
     ]
    },
    "examples": [
     {
      "enabled": true,
      "sensitivity": "medium"
     }
    ]
   },
   "EventReply": {
    "description": "The result of a use or scheduler call.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "event"
    ],
    "properties": {
     "event": {
      "type": "object",
      "additionalProperties": false,
      "required": [
       "details",
       "name"
      ],
      "properties": {
       "details": {
        "type": "string"
       },
       "name": {
        "enum": [
         "EVENT_TOOLPATH_UPDATE",
         "EVENT_SCHEDULER_UPDATE"
        ]
       }
      }
     }
    },
    "examples": [
     {
      "event": {
       "details": "Scheduler enabled from 08:00:00 to 17:30:00",
       "name": "EVENT_SCHEDULER_UPDATE"
      }
     }
    ]
   }
  }
 },
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "data.json",
  "description": "The snapshot, its changes and changes of outputs (§2.10, §4.6).",
  "$defs": {
   "Snapshot": {
    "description": "The whole state of the robot under flat names.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "collision_detection",
     "control",
     "global",
     "global.inputs",
     "global.outputs",
     "scheduler",
     "servos.telemetry.position",
     "servos.telemetry.temperature",
     "servos.telemetry.velocity"
    ],
    "properties": {
     "collision_detection": {
      "$ref": "#/$defs/CollisionDetectionState"
     },
     "control": {
      "$ref": "#/$defs/ControlState"
     },
     "global": {
      "$ref": "#/$defs/GlobalState"
     },
     "global.inputs": {
      "$ref": "#/$defs/Inputs"
     },
     "global.outputs": {
      "$ref": "#/$defs/Outputs"
     },
     "scheduler": {
      "$ref": "#/$defs/SchedulerState"
     },
     "servos.telemetry.position": {
      "$ref": "#/$defs/JointReadings",
      "description": "Joint angles (rad)."
     },
     "servos.telemetry.temperature": {
      "$ref": "#/$defs/JointReadings",
      "description": "Temperatures (°C)."
     },
     "servos.telemetry.velocity": {
      "$ref": "#/$defs/JointReadings",
      "description": "Joint velocities (degree/s)."
     }
    }
   },
   "JointReadings": {
    "type": "array",
    "minItems": 6,
    "maxItems": 6,
    "items": {
     "type": "number"
    }
   },
   "RobotStateName": {
    "enum": [
     "ready",
     "error",
     "running",
     "paused",
     "stopping",
     "backdriving",
     "updating",
     "disabled",
     "shutting_down",
     "collision"
    ]
   },
   "CollisionDetectionState": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "enabled",
     "sensitivity"
    ],
    "properties": {
     "enabled": {
      "type": "boolean"
     },
     "sensitivity": {
      "$ref": "common.json#/$defs/Sensitivity"
     }
    }
   },
   "ControlState": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "state",
     "loop_count",
     "loop_target",
     "toolpath_name",
     "toolpath_hash",
     "run_mode"
    ],
    "properties": {
     "state": {
      "$ref": "#/$defs/RobotStateName"
     },
     "loop_count": {
      "type": "integer",
      "minimum": 0,
      "description": "Completed loops of the selected toolpath."
     },
     "loop_target": {
      "type": "integer",
      "minimum": 0,
      "description": "Number of loops; 0 means endless."
     },
     "toolpath_name": {
      "type": "string"
     },
     "toolpath_hash": {
      "type": "string"
     },
     "run_mode": {
      "enum": [
       "automatic",
       "teach",
       "not_running"
      ]
     }
    }
   },
   "GlobalState": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "estop"
    ],
    "properties": {
     "estop": {
      "type": "boolean",
      "description": "True while the emergency stop is engaged."
     }
    }
   },
   "Inputs": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "d0",
     "d1",
     "d2",
     "d3",
     "a0",
     "a1",
     "a0_mode",
     "a1_mode",
     "ee_a0",
     "ee_a1",
     "ee_d0",
     "ee_d1"
    ],
    "properties": {
     "d0": {
      "type": "boolean"
     },
     "d1": {
      "type": "boolean"
     },
     "d2": {
      "type": "boolean"
     },
     "d3": {
      "type": "boolean"
     },
     "a0": {
      "type": "number"
     },
     "a1": {
      "type": "number"
     },
     "a0_mode": {
      "$ref": "common.json#/$defs/AnalogMode"
     },
     "a1_mode": {
      "$ref": "common.json#/$defs/AnalogMode"
     },
     "ee_a0": {
      "type": "number",
      "description": "Volts."
     },
     "ee_a1": {
      "type": "number",
      "description": "Volts."
     },
     "ee_d0": {
      "type": "boolean"
     },
     "ee_d1": {
      "type": "boolean"
     }
    }
   },
   "Outputs": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "d0",
     "d1",
     "d2",
     "d3",
     "a0",
     "a1",
     "a0_mode",
     "a1_mode",
     "ee_d0",
     "ee_d1"
    ],
    "properties": {
     "d0": {
      "type": "boolean"
     },
     "d1": {
      "type": "boolean"
     },
     "d2": {
      "type": "boolean"
     },
     "d3": {
      "type": "boolean"
     },
     "a0": {
      "type": "number"
     },
     "a1": {
      "type": "number"
     },
     "a0_mode": {
      "$ref": "common.json#/$defs/AnalogMode"
     },
     "a1_mode": {
      "$ref": "common.json#/$defs/AnalogMode"
     },
     "ee_d0": {
      "type": "boolean"
     },
     "ee_d1": {
      "type": "boolean"
     }
    }
   },
   "SchedulerState": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "enabled",
     "start_time",
     "stop_time"
    ],
    "properties": {
     "enabled": {
      "type": "boolean"
     },
     "start_time": {
      "$ref": "common.json#/$defs/TimeOfDay"
     },
     "stop_time": {
      "$ref": "common.json#/$defs/TimeOfDay"
     }
    }
   },
   "SnapshotChanges": {
    "description": "The changed parts of a snapshot; arrays are complete.",
    "examples": [
     {
      "global.outputs": {
       "d0": true
      }
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "properties": {
     "collision_detection": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
       "enabled": {
        "type": "boolean"
       },
       "sensitivity": {
        "$ref": "common.json#/$defs/Sensitivity"
       }
      }
     },
     "control": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
       "state": {
        "$ref": "#/$defs/RobotStateName"
       },
       "loop_count": {
        "type": "integer",
        "minimum": 0,
        "description": "Completed loops of the selected toolpath."
       },
       "loop_target": {
        "type": "integer",
        "minimum": 0,
        "description": "Number of loops; 0 means endless."
       },
       "toolpath_name": {
        "type": "string"
       },
       "toolpath_hash": {
        "type": "string"
       },
       "run_mode": {
        "enum": [
         "automatic",
         "teach",
         "not_running"
        ]
       }
      }
     },
     "global": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
       "estop": {
        "type": "boolean",
        "description": "True while the emergency stop is engaged."
       }
      }
     },
     "global.inputs": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
       "d0": {
        "type": "boolean"
       },
       "d1": {
        "type": "boolean"
       },
       "d2": {
        "type": "boolean"
       },
       "d3": {
        "type": "boolean"
       },
       "a0": {
        "type": "number"
       },
       "a1": {
        "type": "number"
       },
       "a0_mode": {
        "$ref": "common.json#/$defs/AnalogMode"
       },
       "a1_mode": {
        "$ref": "common.json#/$defs/AnalogMode"
       },
       "ee_a0": {
        "type": "number",
        "description": "Volts."
       },
       "ee_a1": {
        "type": "number",
        "description": "Volts."
       },
       "ee_d0": {
        "type": "boolean"
       },
       "ee_d1": {
        "type": "boolean"
       }
      }
     },
     "global.outputs": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
       "d0": {
        "type": "boolean"
       },
       "d1": {
        "type": "boolean"
       },
       "d2": {
        "type": "boolean"
       },
       "d3": {
        "type": "boolean"
       },
       "a0": {
        "type": "number"
       },
       "a1": {
        "type": "number"
       },
       "a0_mode": {
        "$ref": "common.json#/$defs/AnalogMode"
       },
       "a1_mode": {
        "$ref": "common.json#/$defs/AnalogMode"
       },
       "ee_d0": {
        "type": "boolean"
       },
       "ee_d1": {
        "type": "boolean"
       }
      }
     },
     "scheduler": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
       "enabled": {
        "type": "boolean"
       },
       "start_time": {
        "$ref": "common.json#/$defs/TimeOfDay"
       },
       "stop_time": {
        "$ref": "common.json#/$defs/TimeOfDay"
       }
      }
     },
     "servos.telemetry.position": {
      "$ref": "#/$defs/JointReadings",
      "description": "Joint angles (rad)."
     },
     "servos.telemetry.temperature": {
      "$ref": "#/$defs/JointReadings",
      "description": "Temperatures (°C)."
     },
     "servos.telemetry.velocity": {
      "$ref": "#/$defs/JointReadings",
      "description": "Joint velocities (degree/s)."
     }
    }
   },
   "SnapshotReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "snapshot"
    ],
    "properties": {
     "snapshot": {
      "$ref": "#/$defs/Snapshot"
     }
    }
   },
   "GlobalChange": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "key",
     "value"
    ],
    "properties": {
     "key": {
      "description": "The output or mode to change; unknown and read-only keys are listed in the details.",
      "type": "string",
      "maxLength": 64,
      "tsType": "'outputs.d0' | 'outputs.d1' | 'outputs.d2' | 'outputs.d3' | 'outputs.a0' | 'outputs.a1' | 'outputs.a0_mode' | 'outputs.a1_mode' | 'outputs.ee_d0' | 'outputs.ee_d1' | (string & {})",
      "x-documented-enum": [
       "outputs.d0",
       "outputs.d1",
       "outputs.d2",
       "outputs.d3",
       "outputs.a0",
       "outputs.a1",
       "outputs.a0_mode",
       "outputs.a1_mode",
       "outputs.ee_d0",
       "outputs.ee_d1"
      ]
     },
     "value": {
      "description": "A boolean for digital outputs, volts or milliamperes for analog ones, a mode as text.",
      "type": [
       "boolean",
       "number",
       "string"
      ],
      "maxLength": 64
     }
    }
   },
   "ChangeGlobalsBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "changes"
    ],
    "properties": {
     "changes": {
      "type": "array",
      "maxItems": 64,
      "items": {
       "$ref": "#/$defs/GlobalChange"
      }
     }
    },
    "examples": [
     {
      "changes": [
       {
        "key": "outputs.d0",
        "value": true
       },
       {
        "key": "outputs.a0_mode",
        "value": "voltage"
       }
      ]
     }
    ]
   },
   "ChangeGlobalsReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "changes"
    ],
    "properties": {
     "changes": {
      "$ref": "#/$defs/SnapshotChanges"
     }
    },
    "examples": [
     {
      "changes": {
       "global.outputs": {
        "d0": true
       }
      }
     }
    ]
   }
  }
 },
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "errors.json",
  "description": "The details of error replies (§7).",
  "$defs": {
   "TextDetails": {
    "description": "What was wrong and what to do, or null.",
    "type": [
     "string",
     "null"
    ],
    "examples": [
     "The session token is unknown or has expired; get one with an API token (POST /api/v1/auth)"
    ]
   },
   "ProblemDetails": {
    "description": "The invalid places of the request.",
    "type": "array",
    "minItems": 1,
    "items": {
     "$ref": "#/$defs/FieldProblem"
    }
   },
   "FieldProblem": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "path",
     "problem"
    ],
    "properties": {
     "path": {
      "type": "string",
      "description": "JSON pointer into the body; empty for the whole body, `?name` for a query parameter."
     },
     "problem": {
      "type": "string"
     }
    },
    "examples": [
     {
      "path": "/joints/3",
      "problem": "must be a number"
     }
    ]
   },
   "NotReadyDetails": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "reasons"
    ],
    "properties": {
     "reasons": {
      "type": "array",
      "items": {
       "type": "string"
      }
     }
    },
    "examples": [
     {
      "reasons": [
       "The joints are starting"
      ]
     }
    ]
   },
   "InvalidChangesDetails": {
    "description": "The invalid changes by their index in the request.",
    "type": "array",
    "minItems": 1,
    "items": {
     "$ref": "#/$defs/InvalidChange"
    }
   },
   "InvalidChange": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "index",
     "error"
    ],
    "properties": {
     "index": {
      "type": "integer",
      "minimum": 0
     },
     "error": {
      "type": "string"
     }
    },
    "examples": [
     {
      "index": 1,
      "error": "unknown property"
     }
    ]
   },
   "FailedChangesDetails": {
    "description": "The changes that could not be applied, in the order of the request.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "changes"
    ],
    "properties": {
     "changes": {
      "type": "array",
      "minItems": 1,
      "items": {
       "$ref": "common.json#/$defs/ErrorBody"
      }
     }
    },
    "examples": [
     {
      "changes": [
       {
        "error": {
         "error_code": 1,
         "title": "The change could not be applied",
         "details": "outputs.a0: out of range 0..10"
        }
       }
      ]
     }
    ]
   },
   "ToolpathErrorDetails": {
    "description": "Why the toolpath has no valid motion.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "error",
     "path",
     "code"
    ],
    "properties": {
     "error": {
      "type": "string"
     },
     "path": {
      "type": "string",
      "description": "JSON pointer into the toolpath."
     },
     "code": {
      "$ref": "common.json#/$defs/MotionErrorCode"
     }
    },
    "examples": [
     {
      "error": "J2 would be at 2.0000 rad",
      "path": "/timeline/1",
      "code": "j1_boundary_limit"
     }
    ]
   },
   "MotionRefusalDetails": {
    "description": "Why the motion cannot be made.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "error",
     "code"
    ],
    "properties": {
     "path": {
      "type": "string",
      "description": "JSON pointer of the field to change."
     },
     "error": {
      "type": "string"
     },
     "code": {
      "$ref": "common.json#/$defs/MotionErrorCode"
     },
     "minimum_time_s": {
      "type": "number",
      "description": "Shortest time of this motion in seconds, with the code time_too_short."
     }
    },
    "examples": [
     {
      "path": "/time",
      "error": "The requested 0.1 s are less than the 0.9 s that this motion takes",
      "code": "time_too_short",
      "minimum_time_s": 0.9
     }
    ]
   }
  }
 },
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "events.json",
  "description": "The messages of the WebSocket stream (§6.1).",
  "$defs": {
   "RobotEvent": {
    "description": "One message of the stream.",
    "type": "object",
    "required": [
     "type"
    ],
    "discriminator": {
     "propertyName": "type"
    },
    "oneOf": [
     {
      "$ref": "#/$defs/UserCreatedEvent"
     },
     {
      "$ref": "#/$defs/UserUpdatedEvent"
     },
     {
      "$ref": "#/$defs/UserDeletedEvent"
     },
     {
      "$ref": "#/$defs/ToolpathCreatedEvent"
     },
     {
      "$ref": "#/$defs/ToolpathUpdatedEvent"
     },
     {
      "$ref": "#/$defs/ToolpathSharedEvent"
     },
     {
      "$ref": "#/$defs/ToolpathDeletedEvent"
     },
     {
      "$ref": "#/$defs/LockStatusEvent"
     },
     {
      "$ref": "#/$defs/BackdrivingEvent"
     },
     {
      "$ref": "#/$defs/StateChangeEvent"
     },
     {
      "$ref": "#/$defs/ConfigChangeEvent"
     },
     {
      "$ref": "#/$defs/UpdateInProgressEvent"
     }
    ]
   },
   "UserCreatedEvent": {
    "description": "Sent to all users.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "user"
    ],
    "properties": {
     "type": {
      "const": "user_created"
     },
     "user": {
      "$ref": "users.json#/$defs/User"
     }
    }
   },
   "UserUpdatedEvent": {
    "description": "Sent to all users.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "user"
    ],
    "properties": {
     "type": {
      "const": "user_updated"
     },
     "user": {
      "$ref": "users.json#/$defs/User"
     }
    }
   },
   "UserDeletedEvent": {
    "description": "Sent to all users.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "user"
    ],
    "properties": {
     "type": {
      "const": "user_deleted"
     },
     "user": {
      "$ref": "users.json#/$defs/User"
     }
    }
   },
   "ToolpathCreatedEvent": {
    "description": "Sent to the requesting user.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "toolpath"
    ],
    "properties": {
     "type": {
      "const": "toolpath_created"
     },
     "toolpath": {
      "$ref": "toolpath.json#/$defs/ToolpathHead"
     }
    }
   },
   "ToolpathUpdatedEvent": {
    "description": "Sent to the requesting user.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "toolpath"
    ],
    "properties": {
     "type": {
      "const": "toolpath_updated"
     },
     "toolpath": {
      "$ref": "toolpath.json#/$defs/ToolpathHead"
     }
    }
   },
   "ToolpathSharedEvent": {
    "description": "Sent to the user it is shared with.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "toolpath"
    ],
    "properties": {
     "type": {
      "const": "toolpath_shared"
     },
     "toolpath": {
      "$ref": "toolpath.json#/$defs/SharedToolpath"
     }
    }
   },
   "ToolpathDeletedEvent": {
    "description": "Sent to the requesting user.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "toolpath"
    ],
    "properties": {
     "type": {
      "const": "toolpath_deleted"
     },
     "toolpath": {
      "$ref": "toolpath.json#/$defs/ToolpathHead"
     }
    }
   },
   "LockStatusEvent": {
    "description": "Sent to all users; each sees the owner from their own view.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "lock"
    ],
    "properties": {
     "type": {
      "const": "lock_status"
     },
     "lock": {
      "$ref": "lock.json#/$defs/LockStatus"
     }
    }
   },
   "BackdrivingEvent": {
    "description": "Sent to the owner of the lock.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "waypoint"
    ],
    "properties": {
     "type": {
      "const": "backdriving"
     },
     "waypoint": {
      "$ref": "common.json#/$defs/Joints"
     }
    }
   },
   "StateChangeEvent": {
    "description": "Sent to all users.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "changes"
    ],
    "properties": {
     "type": {
      "const": "state_change"
     },
     "changes": {
      "$ref": "data.json#/$defs/SnapshotChanges"
     }
    }
   },
   "ConfigChangeEvent": {
    "description": "Sent to all users.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "kind",
     "message"
    ],
    "properties": {
     "type": {
      "const": "config_change"
     },
     "kind": {
      "enum": [
       "network",
       "time",
       "network_fallback"
      ]
     },
     "message": {
      "type": "string"
     }
    }
   },
   "UpdateInProgressEvent": {
    "description": "Sent to all users.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "message"
    ],
    "properties": {
     "type": {
      "const": "update_in_progress"
     },
     "message": {
      "type": "string"
     }
    }
   }
  }
 },
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "lock.json",
  "description": "The robot lock (§2.9, §4.4).",
  "$defs": {
   "LockOwner": {
    "description": "The owner of the lock, from the view of the reader.",
    "enum": [
     "you",
     "admin",
     "user",
     "none"
    ]
   },
   "LockStatus": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "owner",
     "status"
    ],
    "properties": {
     "owner": {
      "$ref": "#/$defs/LockOwner"
     },
     "status": {
      "enum": [
       "locked",
       "unlocked"
      ]
     }
    },
    "if": {
     "properties": {
      "owner": {
       "const": "none"
      }
     }
    },
    "then": {
     "properties": {
      "status": {
       "const": "unlocked"
      }
     }
    },
    "else": {
     "properties": {
      "status": {
       "const": "locked"
      }
     }
    },
    "examples": [
     {
      "owner": "you",
      "status": "locked"
     }
    ]
   }
  }
 },
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "session.json",
  "description": "Sessions (§4.1, §5).",
  "$defs": {
   "CreateSessionBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "token"
    ],
    "properties": {
     "token": {
      "type": "string",
      "minLength": 1,
      "maxLength": 512,
      "description": "An API token."
     }
    },
    "examples": [
     {
      "token": "c5d6bba0c1b54b3c9d5a2f1e6f6a3a55c5d6bba0c1b"
     }
    ]
   },
   "LogInBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "email",
     "password"
    ],
    "properties": {
     "email": {
      "type": "string",
      "minLength": 1,
      "maxLength": 254
     },
     "password": {
      "type": "string",
      "minLength": 1,
      "maxLength": 256
     }
    },
    "examples": [
     {
      "email": "ada@example.org",
      "password": "a long and good one"
     }
    ]
   },
   "TokenReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "token"
    ],
    "properties": {
     "token": {
      "type": "string",
      "minLength": 1,
      "description": "A session token."
     }
    },
    "examples": [
     {
      "token": "9c5d6bba0c1b54b3c9d5a2f1e6f6a3a55c5d6bba0c1"
     }
    ]
   }
  }
 },
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "sim.json",
  "description": "Simulation control API (/sim/v1): clock, world, faults, snapshots and the stream of simulation events.",
  "$defs": {
   "PaceName": {
    "description": "Simulated seconds per wall second, `max` or `stepped`.",
    "oneOf": [
     {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 1000
     },
     {
      "enum": [
       "max",
       "stepped"
      ]
     }
    ],
    "x-problem": "must be a number above 0 and at most 1000, or max, or stepped"
   },
   "SimClock": {
    "description": "The simulated time and its pace.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "tick",
     "now_s",
     "date",
     "pace",
     "paused",
     "real_time_factor"
    ],
    "properties": {
     "tick": {
      "type": "integer",
      "minimum": 0,
      "description": "Ticks of 4 ms since the start."
     },
     "now_s": {
      "type": "number",
      "description": "Simulated time since the start (s)."
     },
     "date": {
      "type": "string",
      "description": "Simulated date and time."
     },
     "pace": {
      "$ref": "#/$defs/PaceName"
     },
     "paused": {
      "type": "boolean"
     },
     "real_time_factor": {
      "type": "number",
      "description": "Simulated seconds per wall second over the last second."
     }
    },
    "examples": [
     {
      "tick": 500,
      "now_s": 2,
      "date": "2020-01-01T00:00:02.000Z",
      "pace": "stepped",
      "paused": false,
      "real_time_factor": 0
     }
    ]
   },
   "ClockBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
     "pace": {
      "$ref": "#/$defs/PaceName"
     },
     "paused": {
      "type": "boolean"
     }
    },
    "minProperties": 1,
    "examples": [
     {
      "pace": 10,
      "paused": false
     }
    ]
   },
   "StepBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "ticks"
    ],
    "properties": {
     "ticks": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000000000
     }
    },
    "examples": [
     {
      "ticks": 1
     }
    ]
   },
   "AdvanceBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "seconds"
    ],
    "properties": {
     "seconds": {
      "type": "number",
      "minimum": 0,
      "maximum": 31622400,
      "description": "Simulated time to advance (s), rounded up to whole ticks."
     }
    },
    "examples": [
     {
      "seconds": 2.5
     }
    ]
   },
   "RunUntilBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "state",
     "limit_s"
    ],
    "properties": {
     "state": {
      "$ref": "data.json#/$defs/RobotStateName"
     },
     "limit_s": {
      "type": "number",
      "minimum": 0,
      "maximum": 31622400,
      "description": "Maximum simulated time (s)."
     }
    },
    "examples": [
     {
      "state": "ready",
      "limit_s": 60
     }
    ]
   },
   "RunUntilReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "reached",
     "state",
     "clock"
    ],
    "properties": {
     "reached": {
      "type": "boolean"
     },
     "state": {
      "$ref": "data.json#/$defs/RobotStateName"
     },
     "clock": {
      "$ref": "#/$defs/SimClock"
     }
    },
    "examples": [
     {
      "reached": true,
      "state": "ready",
      "clock": {
       "tick": 500,
       "now_s": 2,
       "date": "2020-01-01T00:00:02.000Z",
       "pace": "stepped",
       "paused": false,
       "real_time_factor": 0
      }
     }
    ]
   },
   "SetInputsBody": {
    "description": "External values of inputs; omitted inputs stay unchanged.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "values"
    ],
    "properties": {
     "values": {
      "type": "object",
      "additionalProperties": false,
      "required": [],
      "properties": {
       "d0": {
        "type": "boolean"
       },
       "d1": {
        "type": "boolean"
       },
       "d2": {
        "type": "boolean"
       },
       "d3": {
        "type": "boolean"
       },
       "a0": {
        "type": "number",
        "description": "V or mA, according to the mode."
       },
       "a1": {
        "type": "number",
        "description": "V or mA, according to the mode."
       },
       "a0_mode": {
        "$ref": "common.json#/$defs/AnalogMode"
       },
       "a1_mode": {
        "$ref": "common.json#/$defs/AnalogMode"
       },
       "ee_d0": {
        "type": "boolean"
       },
       "ee_d1": {
        "type": "boolean"
       },
       "ee_a0": {
        "type": "number",
        "description": "Analog input of the end effector (V)."
       },
       "ee_a1": {
        "type": "number",
        "description": "Analog input of the end effector (V)."
       }
      },
      "minProperties": 1
     }
    },
    "examples": [
     {
      "values": {
       "d0": true,
       "a0": 3.5
      }
     }
    ]
   },
   "InputsReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "inputs"
    ],
    "properties": {
     "inputs": {
      "$ref": "data.json#/$defs/Inputs"
     }
    },
    "examples": [
     {
      "inputs": {
       "d0": true,
       "d1": false,
       "d2": false,
       "d3": false,
       "a0": 3.5,
       "a1": 0,
       "a0_mode": "voltage",
       "a1_mode": "voltage",
       "ee_a0": 0,
       "ee_a1": 0,
       "ee_d0": false,
       "ee_d1": false
      }
     }
    ]
   },
   "Wire": {
    "description": "An input that follows an output of its own kind.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "output",
     "input"
    ],
    "properties": {
     "output": {
      "enum": [
       "d0",
       "d1",
       "d2",
       "d3",
       "a0",
       "a1",
       "ee_d0",
       "ee_d1"
      ]
     },
     "input": {
      "enum": [
       "d0",
       "d1",
       "d2",
       "d3",
       "a0",
       "a1",
       "ee_d0",
       "ee_d1",
       "ee_a0",
       "ee_a1"
      ]
     }
    }
   },
   "Loopback": {
    "description": "Outputs wired to inputs.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "wires"
    ],
    "properties": {
     "wires": {
      "type": "array",
      "maxItems": 8,
      "items": {
       "$ref": "#/$defs/Wire"
      }
     }
    },
    "examples": [
     {
      "wires": [
       {
        "output": "d0",
        "input": "d1"
       }
      ]
     }
    ]
   },
   "EmergencyStopBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "engaged"
    ],
    "properties": {
     "engaged": {
      "type": "boolean"
     }
    },
    "examples": [
     {
      "engaged": true
     }
    ]
   },
   "PushBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "force"
    ],
    "properties": {
     "force": {
      "$ref": "common.json#/$defs/Vector",
      "description": "Force at the flange centre (N, robot frame)."
     },
     "duration_s": {
      "type": "number",
      "minimum": 0,
      "maximum": 3600,
      "description": "Duration (s); absent: until the next push. A zero force ends it at once."
     }
    },
    "examples": [
     {
      "force": {
       "x": 30,
       "y": 0,
       "z": 0
      },
      "duration_s": 0.5
     }
    ]
   },
   "ButtonsBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "backdriving"
    ],
    "properties": {
     "backdriving": {
      "type": "boolean",
      "description": "Whether the backdriving button is pressed."
     }
    },
    "examples": [
     {
      "backdriving": true
     }
    ]
   },
   "HalfSizes": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "x",
     "y",
     "z"
    ],
    "description": "Half sizes (m).",
    "properties": {
     "x": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 10
     },
     "y": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 10
     },
     "z": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 10
     }
    }
   },
   "AddObstacleBody": {
    "description": "A box that the controller does not know about.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "position",
     "half"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "position": {
      "$ref": "common.json#/$defs/Vector"
     },
     "half": {
      "$ref": "#/$defs/HalfSizes"
     },
     "orientation": {
      "$ref": "common.json#/$defs/Quaternion"
     },
     "stiffness_n_per_m": {
      "type": "number",
      "minimum": 100,
      "maximum": 1000000,
      "description": "Default 25000, a stiff foam."
     }
    },
    "examples": [
     {
      "name": "crate",
      "position": {
       "x": 0.4,
       "y": 0,
       "z": 0.3
      },
      "half": {
       "x": 0.05,
       "y": 0.05,
       "z": 0.05
      }
     }
    ]
   },
   "SimObstacle": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "name",
     "position",
     "half",
     "orientation",
     "stiffness_n_per_m"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "position": {
      "$ref": "common.json#/$defs/Vector"
     },
     "half": {
      "$ref": "#/$defs/HalfSizes"
     },
     "orientation": {
      "$ref": "common.json#/$defs/Quaternion"
     },
     "stiffness_n_per_m": {
      "type": "number",
      "minimum": 100,
      "maximum": 1000000,
      "description": "Default 25000, a stiff foam."
     }
    },
    "examples": [
     {
      "id": 1,
      "name": "crate",
      "position": {
       "x": 0.4,
       "y": 0,
       "z": 0.3
      },
      "half": {
       "x": 0.05,
       "y": 0.05,
       "z": 0.05
      },
      "orientation": {
       "w": 1,
       "x": 0,
       "y": 0,
       "z": 0
      },
      "stiffness_n_per_m": 25000
     }
    ]
   },
   "ObstacleReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "obstacle"
    ],
    "properties": {
     "obstacle": {
      "$ref": "#/$defs/SimObstacle"
     }
    }
   },
   "ObstaclesReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "obstacles"
    ],
    "properties": {
     "obstacles": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/SimObstacle"
      }
     }
    }
   },
   "ArmProfile": {
    "type": "object",
    "description": "What armtwin fit found of an arm. A part that is absent and a value that is null or absent are not identifiable: the model's values are used.",
    "additionalProperties": false,
    "required": [
     "armtwin_profile",
     "arm"
    ],
    "properties": {
     "armtwin_profile": {
      "const": 1
     },
     "arm": {
      "type": "string",
      "maxLength": 100,
      "description": "The arm's model."
     },
     "name": {
      "type": "string",
      "maxLength": 200
     },
     "captures": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "type": "string",
       "maxLength": 1000
      }
     },
     "motion": {
      "$ref": "#/$defs/ProfileMotion"
     },
     "friction": {
      "$ref": "#/$defs/ProfileFriction"
     },
     "load": {
      "$ref": "#/$defs/ProfileLoad"
     },
     "noise": {
      "$ref": "#/$defs/ProfileNoise"
     },
     "latency_s": {
      "type": [
       "number",
       "null"
      ],
      "minimum": 0,
      "maximum": 0.031,
      "description": "Delay of the measurements (s)."
     },
     "intervals": {
      "type": "object",
      "description": "Intervals of 95 % by the names of the values, [low, high]: the repeatability between motions, not the accuracy.",
      "additionalProperties": {
       "type": "array",
       "minItems": 2,
       "maxItems": 2,
       "items": {
        "type": "number"
       }
      }
     },
     "not_identifiable": {
      "type": "array",
      "maxItems": 100,
      "items": {
       "$ref": "#/$defs/ProfileGap"
      }
     }
    }
   },
   "ProfileGap": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "value",
     "reason"
    ],
    "properties": {
     "value": {
      "type": "string",
      "maxLength": 200
     },
     "reason": {
      "type": "string",
      "maxLength": 1000
     }
    }
   },
   "ProfileMotion": {
    "type": "object",
    "description": "How the planner of the arm times straight joint motions.",
    "additionalProperties": false,
    "required": [
     "law",
     "velocity_rad_s",
     "acceleration_rad_s2"
    ],
    "properties": {
     "law": {
      "enum": [
       "double_s",
       "filtered",
       "cycloidal",
       "half_sine",
       "quintic",
       "septic"
      ]
     },
     "velocity_rad_s": {
      "type": "array",
      "minItems": 6,
      "maxItems": 6,
      "description": "Speed limits; the rating of the arm is 120 °/s.",
      "items": {
       "type": [
        "number",
        "null"
       ],
       "minimum": 0.05,
       "maximum": 2.0944
      }
     },
     "acceleration_rad_s2": {
      "type": "array",
      "minItems": 6,
      "maxItems": 6,
      "description": "Acceleration limits.",
      "items": {
       "type": [
        "number",
        "null"
       ],
       "minimum": 0.2,
       "maximum": 100
      }
     },
     "jerk_rad_s3": {
      "type": "array",
      "minItems": 6,
      "maxItems": 6,
      "description": "Jerk limits of the law double_s.",
      "items": {
       "type": [
        "number",
        "null"
       ],
       "minimum": 1,
       "maximum": 20000
      }
     },
     "ramp_s": {
      "type": [
       "number",
       "null"
      ],
      "minimum": 0.001,
      "maximum": 1,
      "description": "Averaging time of the law filtered (s)."
     },
     "braking_share": {
      "type": [
       "number",
       "null"
      ],
      "minimum": 0.1,
      "maximum": 10,
      "description": "Braking over acceleration, in the law filtered."
     },
     "tool_speed": {
      "enum": [
       "where_reached",
       "whole_motion"
      ],
      "description": "How the speed cap of the tool slows a motion: where it is reached, or from end to end."
     }
    }
   },
   "ProfileFriction": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "viscous_n_m_s",
     "coulomb_n_m"
    ],
    "properties": {
     "viscous_n_m_s": {
      "type": "array",
      "minItems": 6,
      "maxItems": 6,
      "description": "Viscous friction of the joints.",
      "items": {
       "type": [
        "number",
        "null"
       ],
       "minimum": 0,
       "maximum": 20
      }
     },
     "coulomb_n_m": {
      "type": "array",
      "minItems": 6,
      "maxItems": 6,
      "description": "Coulomb friction of the joints.",
      "items": {
       "type": [
        "number",
        "null"
       ],
       "minimum": 0,
       "maximum": 20
      }
     }
    }
   },
   "ProfileLoad": {
    "type": "object",
    "description": "What the flange carries, in the frame of the flange.",
    "examples": [
     {
      "mass_kg": 0.5,
      "centre_of_mass_m": {
       "x": 0,
       "y": 0,
       "z": 0.04
      }
     }
    ],
    "additionalProperties": false,
    "required": [
     "mass_kg",
     "centre_of_mass_m"
    ],
    "properties": {
     "mass_kg": {
      "type": "number",
      "minimum": 0,
      "maximum": 1.25
     },
     "centre_of_mass_m": {
      "type": "object",
      "additionalProperties": false,
      "required": [
       "x",
       "y",
       "z"
      ],
      "properties": {
       "x": {
        "type": "number",
        "minimum": -0.5,
        "maximum": 0.5
       },
       "y": {
        "type": "number",
        "minimum": -0.5,
        "maximum": 0.5
       },
       "z": {
        "type": "number",
        "minimum": -0.5,
        "maximum": 0.5
       }
      }
     }
    }
   },
   "ProfileNoise": {
    "type": "object",
    "description": "Standard deviations of the measured angles and rates.",
    "additionalProperties": false,
    "required": [],
    "properties": {
     "position_rad": {
      "type": [
       "number",
       "null"
      ],
      "minimum": 0,
      "maximum": 0.01
     },
     "velocity_rad_s": {
      "type": [
       "number",
       "null"
      ],
      "minimum": 0,
      "maximum": 0.2
     }
    }
   },
   "LoadInertia": {
    "description": "Inertia about the centre of mass as tensor elements, flange axes (kg m²).",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "xx",
     "yy",
     "zz",
     "xy",
     "xz",
     "yz"
    ],
    "properties": {
     "xx": {
      "type": "number",
      "minimum": -1,
      "maximum": 1
     },
     "yy": {
      "type": "number",
      "minimum": -1,
      "maximum": 1
     },
     "zz": {
      "type": "number",
      "minimum": -1,
      "maximum": 1
     },
     "xy": {
      "type": "number",
      "minimum": -1,
      "maximum": 1
     },
     "xz": {
      "type": "number",
      "minimum": -1,
      "maximum": 1
     },
     "yz": {
      "type": "number",
      "minimum": -1,
      "maximum": 1
     }
    }
   },
   "SimLoad": {
    "description": "A load at the flange. Without inertia it is a ball of 30 mm radius at its centre of mass. A mass of 0 is no load.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "mass_kg",
     "centre_of_mass_m"
    ],
    "properties": {
     "mass_kg": {
      "type": "number",
      "minimum": 0,
      "maximum": 1.25,
      "description": "At most the payload of the arm."
     },
     "centre_of_mass_m": {
      "type": "object",
      "additionalProperties": false,
      "required": [
       "x",
       "y",
       "z"
      ],
      "properties": {
       "x": {
        "type": "number",
        "minimum": -0.3,
        "maximum": 0.3
       },
       "y": {
        "type": "number",
        "minimum": -0.3,
        "maximum": 0.3
       },
       "z": {
        "type": "number",
        "minimum": -0.3,
        "maximum": 0.3
       }
      },
      "description": "In the flange frame."
     },
     "inertia": {
      "$ref": "#/$defs/LoadInertia"
     }
    },
    "examples": [
     {
      "mass_kg": 0.5,
      "centre_of_mass_m": {
       "x": 0.02,
       "y": 0,
       "z": 0.06
      }
     }
    ]
   },
   "LoadReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "load",
     "payload_kg"
    ],
    "properties": {
     "load": {
      "oneOf": [
       {
        "$ref": "#/$defs/SimLoad"
       },
       {
        "type": "null"
       }
      ],
      "description": "The load that was set; null while the flange carries what the toolpath states, or what the grippers of a cell hold."
     },
     "payload_kg": {
      "type": "number",
      "description": "Payload of the loaded toolpath, which the arm expects."
     }
    }
   },
   "SimContact": {
    "description": "A contact of the arm. It lasts until its bodies have been apart for half a second.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "at_s",
     "ended_s",
     "link",
     "body",
     "obstacle",
     "place",
     "speed_m_s",
     "peak_force_n",
     "residual_force_n",
     "detected"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "at_s": {
      "type": "number",
      "description": "Simulated time of the touch."
     },
     "ended_s": {
      "type": [
       "number",
       "null"
      ],
      "description": "Simulated time of the last force; null while the contact lasts."
     },
     "link": {
      "type": "integer",
      "minimum": 1,
      "maximum": 9,
      "description": "Link of the arm; 7 is the tool, 8 the carried load, 9 the gripper of a cell."
     },
     "body": {
      "type": "string",
      "description": "Name of that body."
     },
     "obstacle": {
      "type": "string",
      "description": "Name of the obstacle, or `floor`."
     },
     "place": {
      "$ref": "common.json#/$defs/Vector"
     },
     "speed_m_s": {
      "type": "number",
      "description": "Speed of the body at the touch, along the contact normal."
     },
     "peak_force_n": {
      "type": "number"
     },
     "residual_force_n": {
      "type": "number",
      "description": "Force now; 0 once the bodies are apart."
     },
     "detected": {
      "type": "boolean",
      "description": "True when collision detection found a contact while this one lasted."
     }
    },
    "examples": [
     {
      "id": 1,
      "at_s": 3.412,
      "ended_s": 3.437,
      "link": 7,
      "body": "tool",
      "obstacle": "post",
      "place": {
       "x": 0.41,
       "y": 0.02,
       "z": 0.3
      },
      "speed_m_s": 0.25,
      "peak_force_n": 41.2,
      "residual_force_n": 0,
      "detected": true
     }
    ]
   },
   "ContactsReply": {
    "description": "The latest contacts, oldest first, and force limits of ISO/TS 15066 for information only.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "contacts",
     "force_limits",
     "note"
    ],
    "properties": {
     "contacts": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/SimContact"
      }
     },
     "force_limits": {
      "type": "array",
      "items": {
       "type": "object",
       "additionalProperties": false,
       "required": [
        "region",
        "quasi_static_n",
        "transient_n"
       ],
       "properties": {
        "region": {
         "type": "string"
        },
        "quasi_static_n": {
         "type": "number"
        },
        "transient_n": {
         "type": [
          "number",
          "null"
         ],
         "description": "Null where a transient contact is not permissible."
        }
       }
      }
     },
     "note": {
      "type": "string"
     }
    }
   },
   "SimContactEvent": {
    "description": "A contact; sent when it starts and when it has ended.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "contact"
    ],
    "properties": {
     "type": {
      "const": "contact"
     },
     "contact": {
      "$ref": "#/$defs/SimContact"
     }
    }
   },
   "DriverFaultBody": {
    "description": "A joint reports a fault until it is cleared.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "joint",
     "fault"
    ],
    "properties": {
     "kind": {
      "const": "driver"
     },
     "joint": {
      "type": "integer",
      "minimum": 0,
      "maximum": 5
     },
     "fault": {
      "enum": [
       "lost",
       "overheated",
       "overload",
       "encoder",
       "following_error",
       "voltage",
       "stale",
       "bus"
      ]
     }
    },
    "examples": [
     {
      "kind": "driver",
      "joint": 2,
      "fault": "overheated"
     }
    ]
   },
   "AddFaultBody": {
    "description": "The fault to inject.",
    "type": "object",
    "required": [
     "kind"
    ],
    "discriminator": {
     "propertyName": "kind"
    },
    "oneOf": [
     {
      "$ref": "#/$defs/DriverFaultBody"
     },
     {
      "$ref": "#/$defs/CollisionFaultBody"
     },
     {
      "$ref": "#/$defs/SensorNoiseFaultBody"
     },
     {
      "$ref": "#/$defs/StuckInputFaultBody"
     },
     {
      "$ref": "#/$defs/UpdateFaultBody"
     },
     {
      "$ref": "#/$defs/SlowPlannerFaultBody"
     },
     {
      "$ref": "#/$defs/FailingPlannerFaultBody"
     },
     {
      "$ref": "#/$defs/ReplyFaultBody"
     },
     {
      "$ref": "#/$defs/StreamFaultBody"
     },
     {
      "$ref": "#/$defs/DiskFullFaultBody"
     },
     {
      "$ref": "#/$defs/GripperFaultBody"
     },
     {
      "$ref": "#/$defs/ObjectFaultBody"
     },
     {
      "$ref": "#/$defs/CellSensorFaultBody"
     },
     {
      "$ref": "#/$defs/ConveyorFaultBody"
     }
    ],
    "examples": [
     {
      "kind": "driver",
      "joint": 2,
      "fault": "overheated"
     }
    ]
   },
   "SimFault": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "acted",
     "fault"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "acted": {
      "type": "integer",
      "minimum": 0,
      "description": "How often the fault has acted; one that acts as long as it lasts has acted once from its start."
     },
     "fault": {
      "$ref": "#/$defs/AddFaultBody"
     }
    },
    "examples": [
     {
      "id": 1,
      "acted": 1,
      "fault": {
       "kind": "driver",
       "joint": 2,
       "fault": "overheated"
      }
     }
    ]
   },
   "FaultReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "fault"
    ],
    "properties": {
     "fault": {
      "$ref": "#/$defs/SimFault"
     }
    }
   },
   "FaultsReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "faults"
    ],
    "properties": {
     "faults": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/SimFault"
      }
     }
    }
   },
   "ChangeConfigBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "message"
    ],
    "properties": {
     "kind": {
      "enum": [
       "network",
       "time",
       "network_fallback"
      ]
     },
     "message": {
      "type": "string",
      "minLength": 1,
      "maxLength": 1000
     }
    },
    "examples": [
     {
      "kind": "time",
      "message": "The time zone has changed"
     }
    ]
   },
   "Approximation": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "what",
     "how"
    ],
    "properties": {
     "what": {
      "type": "string"
     },
     "how": {
      "type": "string"
     }
    }
   },
   "JointRange": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "min_rad",
     "max_rad"
    ],
    "properties": {
     "min_rad": {
      "type": "array",
      "minItems": 6,
      "maxItems": 6,
      "items": {
       "type": "number"
      },
      "description": "Lowest angle of each joint (rad)."
     },
     "max_rad": {
      "type": "array",
      "minItems": 6,
      "maxItems": 6,
      "items": {
       "type": "number"
      },
      "description": "Highest angle of each joint (rad)."
     }
    }
   },
   "FidelityReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "not_there",
     "approximate",
     "realism",
     "profile",
     "joint_range"
    ],
    "properties": {
     "not_there": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/Approximation"
      }
     },
     "approximate": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/Approximation"
      }
     },
     "realism": {
      "oneOf": [
       {
        "type": "string",
        "enum": [
         "ideal",
         "typical",
         "worn"
        ]
       },
       {
        "type": "null"
       }
      ],
      "description": "How far the simulated arm deviates from an ideal one; null for a real arm."
     },
     "profile": {
      "oneOf": [
       {
        "$ref": "#/$defs/ArmProfile"
       },
       {
        "type": "null"
       }
      ],
      "description": "The profile of an arm by which the simulated arm moves; null without one."
     },
     "joint_range": {
      "$ref": "#/$defs/JointRange",
      "description": "The range that motions and checks keep to: that of the model, or of a real arm where its calibration or servos allow less."
     }
    },
    "examples": [
     {
      "not_there": [
       {
        "what": "TLS",
        "how": "The arm speaks plain HTTP and WebSocket, so does the twin."
       }
      ],
      "approximate": [
       {
        "what": "joint speed, 120 °/s",
        "how": "confirmed"
       }
      ],
      "realism": "ideal",
      "profile": null,
      "joint_range": {
       "min_rad": [
        -3.05,
        -2.05,
        -2.7,
        -3.05,
        -2.7,
        -3.05
       ],
       "max_rad": [
        3.05,
        2.05,
        2.7,
        3.05,
        0.17,
        3.05
       ]
      }
     }
    ]
   },
   "SimEvent": {
    "description": "One message of the stream of simulation events.",
    "type": "object",
    "required": [
     "type"
    ],
    "discriminator": {
     "propertyName": "type"
    },
    "oneOf": [
     {
      "$ref": "#/$defs/SimLogEvent"
     },
     {
      "$ref": "#/$defs/SimTouchingEvent"
     },
     {
      "$ref": "#/$defs/SimContactEvent"
     },
     {
      "$ref": "#/$defs/SimLockEvent"
     },
     {
      "$ref": "#/$defs/SimClockEvent"
     },
     {
      "$ref": "#/$defs/SimStatusEvent"
     },
     {
      "$ref": "#/$defs/SimViolationEvent"
     },
     {
      "$ref": "cell.json#/$defs/SimCellEvent"
     },
     {
      "$ref": "cell.json#/$defs/SimCellStateEvent"
     },
     {
      "$ref": "cell.json#/$defs/SimCellHappenedEvent"
     }
    ]
   },
   "SimWaiting": {
    "description": "What the present step waits for.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "condition",
     "since_s"
    ],
    "properties": {
     "condition": {
      "$ref": "toolpath.json#/$defs/WaitCondition"
     },
     "since_s": {
      "type": "number",
      "description": "Simulated time at which the wait began."
     }
    }
   },
   "SimStep": {
    "description": "The step that the program is at.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "index",
     "count",
     "at",
     "cell"
    ],
    "properties": {
     "index": {
      "type": "integer",
      "minimum": 0,
      "description": "Index in the built program, in which a step exists once for each pose it can start from."
     },
     "count": {
      "type": "integer",
      "minimum": 1,
      "description": "Number of steps of the program."
     },
     "at": {
      "type": "string",
      "description": "JSON pointer of the action in the toolpath."
     },
     "cell": {
      "type": "array",
      "items": {
       "type": "integer",
       "minimum": 0
      },
      "description": "Grid cell, innermost last; empty outside grids."
     }
    }
   },
   "SimActivity": {
    "description": "The present run, home or go_to, and its progress in simulated time.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "mode",
     "scheduled",
     "loop_time_s",
     "loop_waited_s",
     "loop_remaining_s",
     "to_start",
     "step",
     "waiting"
    ],
    "properties": {
     "kind": {
      "enum": [
       "run",
       "home",
       "go_to"
      ]
     },
     "mode": {
      "$ref": "common.json#/$defs/RunMode"
     },
     "scheduled": {
      "type": "boolean",
      "description": "True when the daily schedule started it."
     },
     "loop_time_s": {
      "type": "number",
      "description": "Simulated time in this loop (s), with waits and without pauses."
     },
     "loop_waited_s": {
      "type": "number",
      "description": "Part of it spent waiting for inputs and outputs (s)."
     },
     "loop_remaining_s": {
      "type": "number",
      "description": "Planned time to the end of the loop (s). Waits for signals count as zero; branches follow the present signals. The return to the home waypoint belongs to the loop that follows it."
     },
     "to_start": {
      "type": "boolean",
      "description": "True while a run goes to the home waypoint: before its first loop, and between two loops where the loop ends elsewhere. No action of the toolpath is executed then, and step is null."
     },
     "step": {
      "description": "The action that is executed; null in home and go_to, and during the motion to the home waypoint.",
      "oneOf": [
       {
        "$ref": "#/$defs/SimStep"
       },
       {
        "type": "null"
       }
      ]
     },
     "waiting": {
      "oneOf": [
       {
        "$ref": "#/$defs/SimWaiting"
       },
       {
        "type": "null"
       }
      ]
     }
    }
   },
   "SimStatus": {
    "description": "State of the robot with its cause, and the progress of its activity.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "tick",
     "now_s",
     "state",
     "state_since_s",
     "error",
     "fault",
     "emergency_stop",
     "ignored_contact_joint",
     "reaction",
     "activity"
    ],
    "properties": {
     "tick": {
      "type": "integer",
      "minimum": 0
     },
     "now_s": {
      "type": "number",
      "description": "Simulated time since the start (s)."
     },
     "state": {
      "$ref": "data.json#/$defs/RobotStateName"
     },
     "state_since_s": {
      "type": "number",
      "description": "Simulated time at which the state was entered, or the twin restored."
     },
     "error": {
      "type": [
       "string",
       "null"
      ],
      "description": "Cause of the state `error`."
     },
     "fault": {
      "oneOf": [
       {
        "type": "null"
       },
       {
        "type": "object",
        "additionalProperties": false,
        "required": [
         "kind",
         "joint"
        ],
        "properties": {
         "kind": {
          "enum": [
           "lost",
           "overheated",
           "overload",
           "encoder",
           "following_error",
           "voltage",
           "stale",
           "bus"
          ]
         },
         "joint": {
          "type": [
           "integer",
           "null"
          ],
          "minimum": 0,
          "maximum": 5,
          "description": "Null when no single joint is the cause."
         }
        }
       }
      ],
      "description": "The fault of the joints behind the state `error`."
     },
     "emergency_stop": {
      "enum": [
       "simulated",
       "wired",
       null
      ],
      "description": "Source of the emergency stop; null while it is released."
     },
     "ignored_contact_joint": {
      "type": [
       "integer",
       "null"
      ],
      "minimum": 0,
      "maximum": 5,
      "description": "Joint at which a collision is reported while collision detection is off."
     },
     "reaction": {
      "description": "What the arm does about a contact, until it is acknowledged or reset; null without one, and for drivers that report none.",
      "oneOf": [
       {
        "$ref": "#/$defs/SimReaction"
       },
       {
        "type": "null"
       }
      ]
     },
     "activity": {
      "oneOf": [
       {
        "$ref": "#/$defs/SimActivity"
       },
       {
        "type": "null"
       }
      ]
     }
    },
    "examples": [
     {
      "tick": 5750,
      "now_s": 23,
      "state": "running",
      "state_since_s": 10.5,
      "error": null,
      "fault": null,
      "emergency_stop": null,
      "ignored_contact_joint": null,
      "reaction": null,
      "activity": {
       "kind": "run",
       "mode": "automatic",
       "scheduled": false,
       "loop_time_s": 12.5,
       "loop_waited_s": 1.5,
       "loop_remaining_s": 22.25,
       "to_start": false,
       "step": {
        "index": 4,
        "count": 31,
        "at": "/timeline/4",
        "cell": []
       },
       "waiting": {
        "condition": {
         "type": "input",
         "io": {
          "location": "base",
          "type": "digital",
          "index": 0
         },
         "value": true
        },
        "since_s": 21.5
       }
      }
     }
    ]
   },
   "SimReaction": {
    "description": "What the arm does about a contact until the external force is below 10 N. Forces are estimates from the torques of the joints.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "phase",
     "force_n",
     "peak_n",
     "retreated_rad",
     "yielded_rad",
     "relieved"
    ],
    "properties": {
     "phase": {
      "enum": [
       "braking",
       "retreating",
       "giving way",
       "holding"
      ],
      "description": "`giving way` lasts as long as something pushes that the arm cannot leave."
     },
     "force_n": {
      "type": "number",
      "description": "Estimated external force at the touching place (N)."
     },
     "peak_n": {
      "type": "number",
      "description": "Its largest value since the contact (N)."
     },
     "retreated_rad": {
      "type": "number",
      "description": "How far the fastest joint went back along the way that the arm came (rad)."
     },
     "yielded_rad": {
      "type": "number",
      "description": "How far the fastest joint gave way to the force (rad)."
     },
     "relieved": {
      "type": "integer",
      "minimum": 0,
      "description": "How often the held arm gave way again because something pressed it."
     }
    },
    "examples": [
     {
      "phase": "holding",
      "force_n": 0.5,
      "peak_n": 84,
      "retreated_rad": 0.062,
      "yielded_rad": 0,
      "relieved": 0
     }
    ]
   },
   "SimStatusEvent": {
    "description": "The status; sent on changes, each 0.1 s of simulated time during an activity and while the arm leaves a contact, and each second at rest.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "status"
    ],
    "properties": {
     "type": {
      "const": "status"
     },
     "status": {
      "$ref": "#/$defs/SimStatus"
     }
    }
   },
   "SimViolationEvent": {
    "description": "A statement about state and motion that does not hold: a bug of the twin.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "statement",
     "left",
     "right",
     "tick"
    ],
    "properties": {
     "type": {
      "const": "violation"
     },
     "statement": {
      "type": "string"
     },
     "left": {
      "type": "string",
      "description": "What was published."
     },
     "right": {
      "type": "string",
      "description": "What contradicts it."
     },
     "tick": {
      "type": "integer",
      "minimum": 0
     }
    },
    "examples": [
     {
      "type": "violation",
      "statement": "ready and paused are entered at standstill",
      "left": "ready",
      "right": "a joint moves at 2.094 rad/s",
      "tick": 250
     }
    ]
   },
   "SimLogEvent": {
    "description": "A line of the robot log.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "level",
     "text",
     "tick"
    ],
    "properties": {
     "type": {
      "const": "log"
     },
     "level": {
      "enum": [
       "info",
       "warning",
       "error"
      ]
     },
     "text": {
      "type": "string"
     },
     "tick": {
      "type": "integer",
      "minimum": 0
     }
    },
    "examples": [
     {
      "type": "log",
      "level": "info",
      "text": "ready → running (go to)",
      "tick": 250
     }
    ]
   },
   "SimTouchingEvent": {
    "description": "The current contacts; sent when a contact starts or ends.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "touches"
    ],
    "properties": {
     "type": {
      "const": "touching"
     },
     "touches": {
      "type": "array",
      "items": {
       "type": "object",
       "additionalProperties": false,
       "required": [
        "link",
        "obstacle",
        "force_n"
       ],
       "properties": {
        "link": {
         "type": "integer",
         "minimum": 1,
         "maximum": 9,
         "description": "Link of the arm; 7 is the tool, 8 the carried load, 9 the gripper of a cell."
        },
        "obstacle": {
         "type": "string"
        },
        "force_n": {
         "type": "number"
        }
       }
      }
     }
    },
    "examples": [
     {
      "type": "touching",
      "touches": [
       {
        "link": 4,
        "obstacle": "crate",
        "force_n": 12.5
       }
      ]
     }
    ]
   },
   "SimLockEvent": {
    "description": "The owner of the robot lock and its remaining time; sent on changes and once a second.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "holder",
     "left_s"
    ],
    "properties": {
     "type": {
      "const": "lock"
     },
     "holder": {
      "oneOf": [
       {
        "type": "null"
       },
       {
        "type": "object",
        "additionalProperties": false,
        "required": [
         "user_id",
         "role"
        ],
        "properties": {
         "user_id": {
          "type": "integer",
          "minimum": 1
         },
         "role": {
          "$ref": "common.json#/$defs/Role"
         }
        }
       }
      ],
      "x-problem": "must be a user or null"
     },
     "left_s": {
      "type": "number",
      "description": "Simulated time until the lock expires (s); 0 without an owner."
     }
    },
    "examples": [
     {
      "type": "lock",
      "holder": null,
      "left_s": 0
     }
    ]
   },
   "SimClockEvent": {
    "description": "Sent once per simulated second.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "clock"
    ],
    "properties": {
     "type": {
      "const": "clock"
     },
     "clock": {
      "$ref": "#/$defs/SimClock"
     }
    },
    "examples": [
     {
      "type": "clock",
      "clock": {
       "tick": 500,
       "now_s": 2,
       "date": "2020-01-01T00:00:02.000Z",
       "pace": "stepped",
       "paused": false,
       "real_time_factor": 0
      }
     }
    ]
   },
   "ResetScope": {
    "enum": [
     "state",
     "toolpaths",
     "users",
     "clock",
     "faults",
     "obstacles",
     "recording",
     "workflows"
    ]
   },
   "ResetBody": {
    "description": "Scopes to reset to the initial state. `users` keeps the caller; `clock` resets pace and pause and, together with `state`, the time; `workflows` drops runs and pending deliveries without events.",
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
     "scopes": {
      "type": "array",
      "minItems": 1,
      "maxItems": 8,
      "items": {
       "$ref": "#/$defs/ResetScope"
      },
      "description": "Absent: all of them."
     }
    },
    "examples": [
     {
      "scopes": [
       "state",
       "clock"
      ]
     }
    ]
   },
   "SeedToken": {
    "description": "An API token with a given secret.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "token"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "token": {
      "type": "string",
      "minLength": 16,
      "maxLength": 512
     }
    },
    "examples": [
     {
      "name": "tests",
      "token": "a secret of sixteen characters"
     }
    ]
   },
   "SeedUser": {
    "description": "Identified by e-mail; created or updated.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "email"
    ],
    "properties": {
     "email": {
      "type": "string",
      "minLength": 3,
      "maxLength": 254,
      "pattern": "^[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]+$",
      "x-problem": "must be an e-mail address"
     },
     "password": {
      "type": "string",
      "minLength": 8,
      "maxLength": 256
     },
     "role": {
      "$ref": "common.json#/$defs/Role"
     },
     "tokens": {
      "type": "array",
      "maxItems": 100,
      "items": {
       "$ref": "#/$defs/SeedToken"
      }
     }
    },
    "examples": [
     {
      "email": "ada@example.org",
      "role": "user"
     }
    ]
   },
   "SeedToolpath": {
    "description": "Identified by owner and name; saved or updated.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "toolpath"
    ],
    "properties": {
     "owner": {
      "type": "string",
      "description": "E-mail of the owner; absent: the first admin."
     },
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "toolpath": {
      "$ref": "toolpath.json#/$defs/Toolpath"
     }
    }
   },
   "SeedBody": {
    "description": "Initial data of a twin. Applying a seed is idempotent; omitted parts stay unchanged.",
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "clock": {
      "type": "object",
      "additionalProperties": false,
      "required": [],
      "properties": {
       "pace": {
        "$ref": "#/$defs/PaceName"
       },
       "paused": {
        "type": "boolean"
       },
       "date": {
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,3})?Z$",
        "x-problem": "must be a date such as 2026-03-01T08:00:00Z",
        "description": "The simulated date to set."
       }
      }
     },
     "users": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "$ref": "#/$defs/SeedUser"
      }
     },
     "toolpaths": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "$ref": "#/$defs/SeedToolpath"
      }
     },
     "selected": {
      "$ref": "common.json#/$defs/Name",
      "description": "Name of the toolpath to load."
     },
     "pose": {
      "$ref": "common.json#/$defs/Joints"
     },
     "state": {
      "$ref": "data.json#/$defs/RobotStateName"
     },
     "realism": {
      "enum": [
       "ideal",
       "typical",
       "worn"
      ],
      "description": "How far the simulated arm deviates from an ideal one."
     },
     "profile": {
      "$ref": "#/$defs/ArmProfile",
      "description": "Makes the simulated arm like the one that armtwin fit has measured."
     },
     "inputs": {
      "type": "object",
      "additionalProperties": false,
      "required": [],
      "properties": {
       "d0": {
        "type": "boolean"
       },
       "d1": {
        "type": "boolean"
       },
       "d2": {
        "type": "boolean"
       },
       "d3": {
        "type": "boolean"
       },
       "a0": {
        "type": "number",
        "description": "V or mA, according to the mode."
       },
       "a1": {
        "type": "number",
        "description": "V or mA, according to the mode."
       },
       "a0_mode": {
        "$ref": "common.json#/$defs/AnalogMode"
       },
       "a1_mode": {
        "$ref": "common.json#/$defs/AnalogMode"
       },
       "ee_d0": {
        "type": "boolean"
       },
       "ee_d1": {
        "type": "boolean"
       },
       "ee_a0": {
        "type": "number",
        "description": "Analog input of the end effector (V)."
       },
       "ee_a1": {
        "type": "number",
        "description": "Analog input of the end effector (V)."
       }
      }
     },
     "outputs": {
      "type": "object",
      "additionalProperties": false,
      "required": [],
      "properties": {
       "d0": {
        "type": "boolean"
       },
       "d1": {
        "type": "boolean"
       },
       "d2": {
        "type": "boolean"
       },
       "d3": {
        "type": "boolean"
       },
       "a0": {
        "type": "number"
       },
       "a1": {
        "type": "number"
       },
       "a0_mode": {
        "$ref": "common.json#/$defs/AnalogMode"
       },
       "a1_mode": {
        "$ref": "common.json#/$defs/AnalogMode"
       },
       "ee_d0": {
        "type": "boolean"
       },
       "ee_d1": {
        "type": "boolean"
       }
      }
     },
     "loopback": {
      "type": "array",
      "maxItems": 8,
      "items": {
       "$ref": "#/$defs/Wire"
      }
     },
     "obstacles": {
      "type": "array",
      "maxItems": 100,
      "items": {
       "$ref": "#/$defs/AddObstacleBody"
      }
     },
     "cell": {
      "$ref": "cell.json#/$defs/Cell"
     }
    },
    "examples": [
     {
      "name": "left arm",
      "users": [
       {
        "email": "ada@example.org",
        "role": "user",
        "tokens": [
         {
          "name": "tests",
          "token": "a secret of sixteen characters"
         }
        ]
       }
      ],
      "pose": [
       0,
       0.5,
       -1.7,
       0,
       -1.2,
       0
      ],
      "state": "disabled",
      "inputs": {
       "d0": true
      }
     }
    ]
   },
   "NamedStateBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     }
    },
    "examples": [
     {
      "name": "before the pick"
     }
    ]
   },
   "NamedState": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "tick",
     "state"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "tick": {
      "type": "integer",
      "minimum": 0
     },
     "state": {
      "$ref": "data.json#/$defs/RobotStateName"
     }
    },
    "examples": [
     {
      "name": "before the pick",
      "tick": 500,
      "state": "ready"
     }
    ]
   },
   "NamedStateReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "state"
    ],
    "properties": {
     "state": {
      "$ref": "#/$defs/NamedState"
     }
    }
   },
   "NamedStatesReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "states"
    ],
    "properties": {
     "states": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/NamedState"
      }
     }
    }
   },
   "StateFile": {
    "description": "A snapshot as a file, for backup or for another twin with the same driver.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "format",
     "name",
     "sha256",
     "data"
    ],
    "properties": {
     "format": {
      "const": 1
     },
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "sha256": {
      "type": "string",
      "minLength": 64,
      "maxLength": 64
     },
     "data": {
      "type": "string",
      "description": "Robot, world, toolpaths and time; no users."
     }
    },
    "examples": [
     {
      "format": 1,
      "name": "before the pick",
      "sha256": "0000000000000000000000000000000000000000000000000000000000000000",
      "data": "{}"
     }
    ]
   },
   "JournalEntry": {
    "description": "One completed call.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "method",
     "path",
     "user_id",
     "body_sha256",
     "status",
     "duration_ms",
     "tick"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "method": {
      "type": "string"
     },
     "path": {
      "type": "string"
     },
     "user_id": {
      "oneOf": [
       {
        "type": "null"
       },
       {
        "type": "integer",
        "minimum": 1
       }
      ],
      "x-problem": "must be a user's id or null"
     },
     "body_sha256": {
      "oneOf": [
       {
        "type": "null"
       },
       {
        "type": "string"
       }
      ],
      "description": "SHA-256 of the canonical JSON of the body (RFC 8785).",
      "x-problem": "must be a hash or null"
     },
     "status": {
      "type": "integer"
     },
     "duration_ms": {
      "type": "number"
     },
     "tick": {
      "type": "integer",
      "minimum": 0
     }
    },
    "examples": [
     {
      "id": 7,
      "method": "POST",
      "path": "/api/v1/controls/go_to",
      "user_id": 1,
      "body_sha256": null,
      "status": 204,
      "duration_ms": 1.4,
      "tick": 250
     }
    ]
   },
   "JournalSearchBody": {
    "description": "Filter; empty: all calls.",
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
     "method": {
      "enum": [
       "GET",
       "POST",
       "PUT",
       "DELETE",
       "OPTIONS",
       "HEAD",
       "PATCH"
      ]
     },
     "path": {
      "type": "string",
      "minLength": 1,
      "maxLength": 2000,
      "description": "A trailing * matches any suffix."
     },
     "user_id": {
      "type": "integer",
      "minimum": 1
     },
     "status": {
      "type": "integer",
      "minimum": 100,
      "maximum": 599
     },
     "limit": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000
     }
    },
    "examples": [
     {
      "method": "POST",
      "path": "/api/v1/controls/*"
     }
    ]
   },
   "JournalReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "entries",
     "lost"
    ],
    "properties": {
     "entries": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/JournalEntry"
      }
     },
     "lost": {
      "type": "integer",
      "minimum": 0,
      "description": "Number of older calls that were dropped."
     }
    },
    "examples": [
     {
      "entries": [
       {
        "id": 7,
        "method": "POST",
        "path": "/api/v1/controls/go_to",
        "user_id": 1,
        "body_sha256": null,
        "status": 204,
        "duration_ms": 1.4,
        "tick": 250
       }
      ],
      "lost": 0
     }
    ]
   },
   "JournalVerifyBody": {
    "description": "An expected call.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "method",
     "path"
    ],
    "properties": {
     "method": {
      "enum": [
       "GET",
       "POST",
       "PUT",
       "DELETE",
       "OPTIONS",
       "HEAD",
       "PATCH"
      ]
     },
     "path": {
      "type": "string",
      "minLength": 1,
      "maxLength": 2000,
      "description": "A trailing * matches any suffix."
     },
     "user_id": {
      "type": "integer",
      "minimum": 1
     },
     "status": {
      "type": "integer",
      "minimum": 100,
      "maximum": 599
     },
     "body": {
      "description": "The complete request body as JSON."
     },
     "times": {
      "type": "integer",
      "minimum": 0,
      "description": "Expected count; absent: at least once."
     }
    },
    "examples": [
     {
      "method": "POST",
      "path": "/api/v1/controls/go_to",
      "times": 1
     }
    ]
   },
   "NearMiss": {
    "description": "A near miss of the expected call.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "entry",
     "differs"
    ],
    "properties": {
     "entry": {
      "$ref": "#/$defs/JournalEntry"
     },
     "differs": {
      "type": "array",
      "items": {
       "enum": [
        "method",
        "path",
        "user_id",
        "status",
        "body"
       ]
      }
     }
    }
   },
   "JournalVerifyReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "holds",
     "matched",
     "near_misses"
    ],
    "properties": {
     "holds": {
      "type": "boolean"
     },
     "matched": {
      "type": "integer",
      "minimum": 0
     },
     "near_misses": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/NearMiss"
      }
     }
    },
    "examples": [
     {
      "holds": false,
      "matched": 0,
      "near_misses": [
       {
        "entry": {
         "id": 7,
         "method": "POST",
         "path": "/api/v1/controls/go_to",
         "user_id": 1,
         "body_sha256": null,
         "status": 204,
         "duration_ms": 1.4,
         "tick": 250
        },
        "differs": [
         "status"
        ]
       }
      ]
     }
    ]
   },
   "CollisionFaultBody": {
    "description": "A joint reports a collision once. It has an effect while collision detection is enabled.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "joint"
    ],
    "properties": {
     "kind": {
      "const": "collision"
     },
     "joint": {
      "type": "integer",
      "minimum": 0,
      "maximum": 5
     }
    },
    "examples": [
     {
      "kind": "collision",
      "joint": 3
     }
    ]
   },
   "SensorNoiseFaultBody": {
    "description": "Adds noise of at most these amplitudes to the reported angles, velocities and temperatures.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind"
    ],
    "properties": {
     "kind": {
      "const": "sensor_noise"
     },
     "position_rad": {
      "type": "number",
      "minimum": 0,
      "maximum": 0.1
     },
     "velocity_rad_s": {
      "type": "number",
      "minimum": 0,
      "maximum": 10
     },
     "temperature_c": {
      "type": "number",
      "minimum": 0,
      "maximum": 50
     },
     "seed": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4294967295
     }
    },
    "examples": [
     {
      "kind": "sensor_noise",
      "position_rad": 0.002,
      "seed": 7
     }
    ]
   },
   "StuckInputFaultBody": {
    "description": "An input keeps its value.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "input"
    ],
    "properties": {
     "kind": {
      "const": "stuck_input"
     },
     "input": {
      "enum": [
       "d0",
       "d1",
       "d2",
       "d3",
       "a0",
       "a1",
       "ee_d0",
       "ee_d1",
       "ee_a0",
       "ee_a1"
      ]
     }
    },
    "examples": [
     {
      "kind": "stuck_input",
      "input": "d0"
     }
    ]
   },
   "UpdateFaultBody": {
    "description": "An update fails: the version does not change.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind"
    ],
    "properties": {
     "kind": {
      "const": "update_failure"
     },
     "times": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000000,
      "description": "How often the fault acts before it is removed; absent: until cleared."
     }
    },
    "examples": [
     {
      "kind": "update_failure",
      "times": 1
     }
    ]
   },
   "SlowPlannerFaultBody": {
    "description": "Planning takes longer.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "delay_s"
    ],
    "properties": {
     "kind": {
      "const": "slow_planner"
     },
     "delay_s": {
      "type": "number",
      "minimum": 0,
      "maximum": 600,
      "description": "Additional wall time of each plan (s)."
     },
     "times": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000000,
      "description": "How often the fault acts before it is removed; absent: until cleared."
     }
    },
    "examples": [
     {
      "kind": "slow_planner",
      "delay_s": 0.5
     }
    ]
   },
   "FailingPlannerFaultBody": {
    "description": "Planning fails with generation_error.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind"
    ],
    "properties": {
     "kind": {
      "const": "failing_planner"
     },
     "times": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000000,
      "description": "How often the fault acts before it is removed; absent: until cleared."
     }
    },
    "examples": [
     {
      "kind": "failing_planner",
      "times": 1
     }
    ]
   },
   "ReplyFaultBody": {
    "description": "A call is executed, but its reply is delayed or dropped.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "path",
     "effect"
    ],
    "properties": {
     "kind": {
      "const": "reply"
     },
     "path": {
      "type": "string",
      "minLength": 1,
      "maxLength": 2000,
      "description": "A trailing * matches any suffix."
     },
     "method": {
      "enum": [
       "GET",
       "POST",
       "PUT",
       "DELETE",
       "OPTIONS",
       "HEAD",
       "PATCH"
      ]
     },
     "effect": {
      "enum": [
       "drop",
       "delay"
      ]
     },
     "delay_s": {
      "type": "number",
      "minimum": 0,
      "maximum": 600,
      "description": "Wall time (s); with `delay`."
     },
     "times": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000000,
      "description": "How often the fault acts before it is removed; absent: until cleared."
     },
     "chance": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 1,
      "description": "Probability with which it acts; default 1."
     },
     "seed": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4294967295,
      "description": "Seed of the random draw when the probability is below 1."
     }
    },
    "examples": [
     {
      "kind": "reply",
      "path": "/api/v1/controls/*",
      "effect": "drop",
      "times": 2
     }
    ]
   },
   "StreamFaultBody": {
    "description": "Messages of the event stream are delayed or dropped; without `message` all types.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "effect"
    ],
    "properties": {
     "kind": {
      "const": "stream"
     },
     "message": {
      "enum": [
       "user_created",
       "user_updated",
       "user_deleted",
       "toolpath_created",
       "toolpath_updated",
       "toolpath_shared",
       "toolpath_deleted",
       "lock_status",
       "backdriving",
       "state_change",
       "config_change",
       "update_in_progress"
      ]
     },
     "effect": {
      "enum": [
       "drop",
       "delay"
      ]
     },
     "delay_s": {
      "type": "number",
      "minimum": 0,
      "maximum": 600,
      "description": "Wall time (s); with `delay`."
     },
     "times": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000000,
      "description": "How often the fault acts before it is removed; absent: until cleared."
     },
     "chance": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 1,
      "description": "Probability with which it acts; default 1."
     },
     "seed": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4294967295,
      "description": "Seed of the random draw when the probability is below 1."
     }
    },
    "examples": [
     {
      "kind": "stream",
      "message": "lock_status",
      "effect": "delay",
      "delay_s": 1,
      "times": 1
     }
    ]
   },
   "DiskFullFaultBody": {
    "description": "Writes to the data folder fail.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind"
    ],
    "properties": {
     "kind": {
      "const": "disk_full"
     }
    },
    "examples": [
     {
      "kind": "disk_full"
     }
    ]
   },
   "GripperFaultBody": {
    "description": "A gripper of the cell fails.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "gripper",
     "fault"
    ],
    "properties": {
     "kind": {
      "const": "gripper"
     },
     "gripper": {
      "$ref": "common.json#/$defs/Name"
     },
     "fault": {
      "enum": [
       "jammed",
       "slips",
       "leaks"
      ],
      "description": "`jammed`: it does not move; `slips`: it loses its force `after_s` after a grasp; `leaks`: the vacuum of a cup falls evenly to nothing in `after_s` after a grasp."
     },
     "after_s": {
      "type": "number",
      "minimum": 0.001,
      "maximum": 3600,
      "description": "Time from the grasp (s); default 1."
     }
    },
    "examples": [
     {
      "kind": "gripper",
      "gripper": "gripper",
      "fault": "slips",
      "after_s": 2
     }
    ]
   },
   "ObjectFaultBody": {
    "description": "An object of the cell is not where it should be.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "object",
     "fault"
    ],
    "properties": {
     "kind": {
      "const": "object"
     },
     "object": {
      "$ref": "common.json#/$defs/Name"
     },
     "fault": {
      "enum": [
       "missing",
       "misplaced"
      ],
      "description": "`missing`: it is not there until the fault is cleared; `misplaced`: it is shifted once, by a drawn offset."
     },
     "spread_mm": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 1000,
      "description": "Greatest offset in x and in y (mm); default 10."
     },
     "seed": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4294967295,
      "description": "Seed of the drawn offset; default 0."
     }
    },
    "examples": [
     {
      "kind": "object",
      "object": "plate 1",
      "fault": "misplaced",
      "spread_mm": 10,
      "seed": 3
     }
    ]
   },
   "CellSensorFaultBody": {
    "description": "A sensor of the cell fails.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "sensor",
     "fault"
    ],
    "properties": {
     "kind": {
      "const": "sensor"
     },
     "sensor": {
      "$ref": "common.json#/$defs/Name"
     },
     "fault": {
      "enum": [
       "stuck",
       "late"
      ],
      "description": "`stuck`: it keeps its value; `late`: it reports `late_s` later."
     },
     "late_s": {
      "type": "number",
      "minimum": 0,
      "maximum": 3600,
      "description": "Additional delay (s); default 1."
     }
    },
    "examples": [
     {
      "kind": "sensor",
      "sensor": "gate",
      "fault": "late",
      "late_s": 0.5
     }
    ]
   },
   "ConveyorFaultBody": {
    "description": "A conveyor of the cell stands still, whatever its output.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "conveyor"
    ],
    "properties": {
     "kind": {
      "const": "conveyor"
     },
     "conveyor": {
      "$ref": "common.json#/$defs/Name"
     }
    },
    "examples": [
     {
      "kind": "conveyor",
      "conveyor": "belt"
     }
    ]
   },
   "RecordingReply": {
    "description": "The status and the length of the recording.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "recording",
     "bytes",
     "truncated"
    ],
    "properties": {
     "recording": {
      "type": "boolean"
     },
     "bytes": {
      "type": "integer",
      "minimum": 0
     },
     "truncated": {
      "type": "boolean",
      "description": "Whether the recording stopped at its size limit."
     }
    },
    "examples": [
     {
      "recording": true,
      "bytes": 20480,
      "truncated": false
     }
    ]
   },
   "RecordingFileReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "tape"
    ],
    "properties": {
     "tape": {
      "type": "string",
      "description": "JSON lines, the file format of `armtwin replay`."
     }
    },
    "examples": [
     {
      "tape": "{}\n"
     }
    ]
   },
   "RobotRun": {
    "description": "A run of a toolpath that the twin keeps: how it ended, and what it can be replayed from.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "name",
     "toolpath_hash",
     "started_at",
     "tick",
     "duration_s",
     "outcome",
     "contacts",
     "signals",
     "replayable"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "name": {
      "type": "string",
      "description": "Name of the toolpath."
     },
     "toolpath_hash": {
      "type": "string"
     },
     "started_at": {
      "type": "string",
      "description": "Simulated date and time of its start."
     },
     "tick": {
      "type": "integer",
      "minimum": 0,
      "description": "Tick of its start."
     },
     "duration_s": {
      "type": "number",
      "minimum": 0,
      "description": "Simulated time up to its end, or up to now (s)."
     },
     "outcome": {
      "$ref": "#/$defs/RobotRunOutcome"
     },
     "contacts": {
      "type": "integer",
      "minimum": 0,
      "description": "Contacts of the arm that started in the run."
     },
     "signals": {
      "type": "integer",
      "minimum": 0,
      "description": "Changes of inputs and outputs."
     },
     "replayable": {
      "type": "boolean",
      "description": "Whether it can be replayed; not when it had too many commands."
     }
    },
    "examples": [
     {
      "id": 3,
      "name": "Pick and place",
      "toolpath_hash": "ab12",
      "started_at": "2020-01-01T00:00:02.000Z",
      "tick": 500,
      "duration_s": 9.8,
      "outcome": "finished",
      "contacts": 0,
      "signals": 4,
      "replayable": true
     }
    ]
   },
   "RobotRunOutcome": {
    "description": "How it ended, or `running`.",
    "enum": [
     "running",
     "finished",
     "cancelled",
     "error",
     "collision",
     "disabled"
    ]
   },
   "ToolpathEntry": {
    "description": "A saved toolpath with what the arm's API does not report.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "name",
     "hash",
     "modified_at",
     "bytes"
    ],
    "properties": {
     "id": {
      "$ref": "toolpath.json#/$defs/ToolpathId"
     },
     "name": {
      "type": "string"
     },
     "hash": {
      "$ref": "toolpath.json#/$defs/ToolpathHash"
     },
     "modified_at": {
      "type": [
       "string",
       "null"
      ],
      "description": "Simulated date and time of its last save, UTC; null for one saved by a version that did not keep it."
     },
     "bytes": {
      "type": [
       "integer",
       "null"
      ],
      "minimum": 0,
      "description": "Size of its JSON text; null as above."
     }
    },
    "examples": [
     {
      "id": 7,
      "name": "Pick and place",
      "hash": "4f1c09",
      "modified_at": "2020-01-01T00:00:02.000Z",
      "bytes": 1712
     }
    ]
   },
   "ToolpathEntriesReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "toolpaths"
    ],
    "properties": {
     "toolpaths": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/ToolpathEntry"
      },
      "description": "The oldest first."
     }
    }
   },
   "RobotRunsReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "runs"
    ],
    "properties": {
     "runs": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/RobotRun"
      },
      "description": "The latest run first."
     }
    }
   },
   "ReplayRunBody": {
    "description": "What changes, and when; without a change the run is replayed as it was.",
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
     "at_s": {
      "type": "number",
      "minimum": 0,
      "description": "When the change happens (s after the start of the run); absent: at the start."
     },
     "fault": {
      "$ref": "#/$defs/AddFaultBody"
     },
     "toolpath": {
      "$ref": "toolpath.json#/$defs/Toolpath"
     }
    },
    "examples": [
     {
      "at_s": 2.5,
      "fault": {
       "kind": "driver",
       "joint": 2,
       "fault": "overheated"
      }
     }
    ]
   },
   "ReplayRunReply": {
    "description": "The replayed run, which the twin itself does not take part in.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "outcome",
     "duration_s",
     "signals",
     "findings",
     "recording"
    ],
    "properties": {
     "outcome": {
      "$ref": "#/$defs/RobotRunOutcome"
     },
     "duration_s": {
      "type": "number",
      "minimum": 0,
      "description": "Simulated time of the run, without what is shown of the time after it (s)."
     },
     "signals": {
      "type": "integer",
      "minimum": 0,
      "description": "Changes of inputs and outputs."
     },
     "findings": {
      "type": "array",
      "items": {
       "type": "string"
      },
      "description": "Contacts, and errors of the robot, in words."
     },
     "recording": {
      "type": "string",
      "description": "The motion as JSON text, the document of an exported page."
     }
    },
    "examples": [
     {
      "outcome": "error",
      "duration_s": 2.6,
      "signals": 1,
      "findings": [
       "2.60 s: joint 3 overheated"
      ],
      "recording": "{}"
     }
    ]
   },
   "ServoReading": {
    "description": "The servo of a joint that responds.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "joint",
     "id",
     "model",
     "temperature_c",
     "voltage_v",
     "current_a",
     "missed_samples"
    ],
    "properties": {
     "joint": {
      "type": "integer",
      "minimum": 0,
      "maximum": 5,
      "description": "Joint number from the base."
     },
     "id": {
      "type": "integer",
      "minimum": 0,
      "maximum": 252,
      "description": "Id on the bus."
     },
     "model": {
      "type": "string"
     },
     "temperature_c": {
      "type": "number",
      "description": "Temperature (°C)."
     },
     "voltage_v": {
      "type": "number",
      "description": "Supply (V)."
     },
     "current_a": {
      "type": "number",
      "description": "Current (A), with the sign of the joint torque."
     },
     "missed_samples": {
      "type": "integer",
      "minimum": 0,
      "description": "Number of queries without a fresh sample in time."
     }
    }
   },
   "BusReading": {
    "description": "The servo bus.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "transactions",
     "timeouts",
     "checksum_errors",
     "unexpected",
     "unsent",
     "missed_turns",
     "cycle_p50_ms",
     "cycle_p99_ms",
     "period_p99_ms",
     "age_ms"
    ],
    "properties": {
     "name": {
      "type": "string",
      "description": "The value of --bus."
     },
     "transactions": {
      "type": "integer",
      "minimum": 0,
      "description": "Number of queries."
     },
     "timeouts": {
      "type": "integer",
      "minimum": 0,
      "description": "Queries without all responses in time."
     },
     "checksum_errors": {
      "type": "integer",
      "minimum": 0,
      "description": "Packets with a wrong checksum."
     },
     "unexpected": {
      "type": "integer",
      "minimum": 0,
      "description": "Unexpected responses."
     },
     "unsent": {
      "type": "integer",
      "minimum": 0,
      "description": "Packets that could not be sent."
     },
     "missed_turns": {
      "type": "integer",
      "minimum": 0,
      "description": "Cycles skipped because the bus was busy."
     },
     "cycle_p50_ms": {
      "type": "number",
      "description": "Query to last response (ms), median of the last cycles."
     },
     "cycle_p99_ms": {
      "type": "number",
      "description": "Query to last response (ms), 99th percentile."
     },
     "period_p99_ms": {
      "type": "number",
      "description": "Cycle time (ms), 99th percentile."
     },
     "age_ms": {
      "type": "number",
      "description": "Age of the oldest joint sample (ms)."
     }
    }
   },
   "JointDifference": {
    "description": "Deviation of a joint from its model (real minus model), current and over the run.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "joint",
     "position_rad",
     "torque_n_m",
     "position_rms_rad",
     "position_max_rad",
     "torque_rms_n_m",
     "torque_max_n_m"
    ],
    "properties": {
     "joint": {
      "type": "integer",
      "minimum": 0,
      "maximum": 5,
      "description": "Joint number from the base."
     },
     "position_rad": {
      "type": "number"
     },
     "torque_n_m": {
      "type": "number"
     },
     "position_rms_rad": {
      "type": "number"
     },
     "position_max_rad": {
      "type": "number"
     },
     "torque_rms_n_m": {
      "type": "number"
     },
     "torque_max_n_m": {
      "type": "number"
     }
    }
   },
   "DriverFault": {
    "description": "The fault that prevents motion.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "joint",
     "message"
    ],
    "properties": {
     "kind": {
      "type": "string"
     },
     "joint": {
      "type": [
       "integer",
       "null"
      ],
      "minimum": 0,
      "maximum": 5,
      "description": "The joint that caused it, or null."
     },
     "message": {
      "type": "string"
     }
    }
   },
   "ServosReply": {
    "description": "The status of an arm with servos.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "driver",
     "fault",
     "bus",
     "servos",
     "mirror"
    ],
    "properties": {
     "driver": {
      "type": "string"
     },
     "fault": {
      "oneOf": [
       {
        "$ref": "#/$defs/DriverFault"
       },
       {
        "type": "null"
       }
      ]
     },
     "bus": {
      "$ref": "#/$defs/BusReading"
     },
     "servos": {
      "description": "All servos, from the base on; a joint may have several.",
      "type": "array",
      "items": {
       "$ref": "#/$defs/ServoReading"
      },
      "minItems": 6
     },
     "mirror": {
      "description": "Deviations from the model; null without a model, and while it is not compared: in a fault, after a contact and in guiding by hand.",
      "oneOf": [
       {
        "type": "array",
        "items": {
         "$ref": "#/$defs/JointDifference"
        },
        "minItems": 6,
        "maxItems": 6
       },
       {
        "type": "null"
       }
      ]
     }
    },
    "examples": [
     {
      "driver": "servo",
      "fault": null,
      "bus": {
       "name": "serial:/dev/ttyUSB0",
       "transactions": 15000,
       "timeouts": 0,
       "checksum_errors": 0,
       "unexpected": 0,
       "unsent": 0,
       "missed_turns": 0,
       "cycle_p50_ms": 1.9,
       "cycle_p99_ms": 2.6,
       "period_p99_ms": 9.1,
       "age_ms": 4
      },
      "servos": [
       {
        "joint": 0,
        "id": 1,
        "model": "XM540-W270",
        "temperature_c": 41,
        "voltage_v": 12,
        "current_a": 0.35,
        "missed_samples": 0
       },
       {
        "joint": 1,
        "id": 2,
        "model": "XM540-W270",
        "temperature_c": 41,
        "voltage_v": 12,
        "current_a": 0.35,
        "missed_samples": 0
       },
       {
        "joint": 2,
        "id": 3,
        "model": "XM540-W270",
        "temperature_c": 41,
        "voltage_v": 12,
        "current_a": 0.35,
        "missed_samples": 0
       },
       {
        "joint": 3,
        "id": 4,
        "model": "XM540-W270",
        "temperature_c": 41,
        "voltage_v": 12,
        "current_a": 0.35,
        "missed_samples": 0
       },
       {
        "joint": 4,
        "id": 5,
        "model": "XM540-W270",
        "temperature_c": 41,
        "voltage_v": 12,
        "current_a": 0.35,
        "missed_samples": 0
       },
       {
        "joint": 5,
        "id": 6,
        "model": "XM540-W270",
        "temperature_c": 41,
        "voltage_v": 12,
        "current_a": 0.35,
        "missed_samples": 0
       }
      ],
      "mirror": null
     }
    ]
   }
  }
 },
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "toolpath.json",
  "description": "The toolpath object of format 2 and the calls that save, share, use and migrate it (§2.1, §2.2, §4.2, §4.3). The semantic check covers rules across several places of a toolpath.",
  "$defs": {
   "Toolpath": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "metadata",
     "timeline",
     "waypoints"
    ],
    "properties": {
     "metadata": {
      "$ref": "#/$defs/ToolpathMetadata"
     },
     "timeline": {
      "$ref": "#/$defs/Timeline"
     },
     "waypoints": {
      "type": "array",
      "maxItems": 10000,
      "items": {
       "$ref": "#/$defs/Waypoint"
      }
     },
     "routines": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "$ref": "#/$defs/Routine"
      }
     }
    },
    "examples": [
     {
      "metadata": {
       "version": 2,
       "default_max_speed": 0.25,
       "payload": 0,
       "next_label_id": 3,
       "analog_modes": {
        "i0": "voltage",
        "i1": "voltage",
        "o0": "voltage",
        "o1": "voltage"
       }
      },
      "waypoints": [
       {
        "label_id": 1,
        "joints": [
         0,
         0.5,
         -1.7,
         0,
         -1.2,
         0
        ]
       },
       {
        "label_id": 2,
        "label": "place",
        "joints": [
         0.4,
         0.5,
         -1.7,
         0,
         -1.2,
         0
        ]
       }
      ],
      "timeline": [
       {
        "type": "home",
        "waypoint_id": 0
       },
       {
        "type": "trajectory",
        "trajectory": "joint_space",
        "waypoint_id": 1
       },
       {
        "type": "wait",
        "condition": {
         "type": "time",
         "duration": 0.5
        }
       },
       {
        "type": "trajectory",
        "trajectory": "linear",
        "waypoint_id": 0,
        "max_speed": 0.1
       }
      ]
     }
    ]
   },
   "ToolpathMetadata": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "version",
     "default_max_speed",
     "analog_modes",
     "next_label_id",
     "payload"
    ],
    "properties": {
     "version": {
      "const": 2,
      "description": "Version of the toolpath format.",
      "x-problem": "must be 2, the latest toolpath format; migrate older ones with PUT /api/v1/toolpath/migrate",
      "x-decides": true
     },
     "default_max_speed": {
      "$ref": "common.json#/$defs/Speed"
     },
     "analog_modes": {
      "$ref": "#/$defs/AnalogModes"
     },
     "next_label_id": {
      "type": "integer",
      "description": "The next free label_id."
     },
     "payload": {
      "type": "number",
      "minimum": 0,
      "maximum": 1.25,
      "description": "Payload for the toolpath (kg)."
     },
     "output_on_error": {
      "$ref": "#/$defs/OutputOnError"
     },
     "tcp_config": {
      "$ref": "common.json#/$defs/TcpConfig"
     },
     "avoidance_zones": {
      "$ref": "common.json#/$defs/AvoidanceZones"
     }
    }
   },
   "AnalogModes": {
    "description": "Modes of the base analog inputs and outputs.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "i0",
     "i1",
     "o0",
     "o1"
    ],
    "properties": {
     "i0": {
      "$ref": "common.json#/$defs/AnalogMode"
     },
     "i1": {
      "$ref": "common.json#/$defs/AnalogMode"
     },
     "o0": {
      "$ref": "common.json#/$defs/AnalogMode"
     },
     "o1": {
      "$ref": "common.json#/$defs/AnalogMode"
     }
    }
   },
   "OutputOnError": {
    "description": "Output to set when an error occurs while the toolpath runs.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "io",
     "value"
    ],
    "properties": {
     "type": {
      "const": "output-set"
     },
     "io": {
      "$ref": "common.json#/$defs/IoAddress"
     },
     "value": {
      "$ref": "common.json#/$defs/IoValue"
     }
    }
   },
   "Waypoint": {
    "description": "A pose; its index in the array is its waypoint_id.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "label_id",
     "joints"
    ],
    "properties": {
     "label_id": {
      "type": "number",
      "description": "Unique among waypoints."
     },
     "label": {
      "type": "string",
      "minLength": 1,
      "maxLength": 16
     },
     "joints": {
      "$ref": "common.json#/$defs/Joints"
     }
    }
   },
   "Routine": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "timeline"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "timeline": {
      "$ref": "#/$defs/Timeline"
     }
    }
   },
   "Timeline": {
    "type": "array",
    "maxItems": 5000,
    "items": {
     "$ref": "#/$defs/Action"
    }
   },
   "Action": {
    "type": "object",
    "required": [
     "type"
    ],
    "discriminator": {
     "propertyName": "type"
    },
    "oneOf": [
     {
      "$ref": "#/$defs/HomeAction"
     },
     {
      "$ref": "#/$defs/TrajectoryAction"
     },
     {
      "$ref": "#/$defs/OutputSetAction"
     },
     {
      "$ref": "#/$defs/WaitAction"
     },
     {
      "$ref": "#/$defs/RestartAction"
     },
     {
      "$ref": "#/$defs/GridAction"
     },
     {
      "$ref": "#/$defs/GridWaypointAction"
     },
     {
      "$ref": "#/$defs/IfAction"
     },
     {
      "$ref": "#/$defs/CallRoutineAction"
     }
    ]
   },
   "WaypointIndex": {
    "type": "integer",
    "minimum": 0,
    "description": "Index into waypoints."
   },
   "HomeAction": {
    "description": "The start position: once, in the root timeline, before any trajectory.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "waypoint_id"
    ],
    "properties": {
     "type": {
      "const": "home"
     },
     "waypoint_id": {
      "$ref": "#/$defs/WaypointIndex"
     }
    }
   },
   "TrajectoryAction": {
    "description": "A move to a waypoint, or, with pass_through, a waypoint that the next move passes.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "waypoint_id"
    ],
    "properties": {
     "type": {
      "const": "trajectory"
     },
     "waypoint_id": {
      "$ref": "#/$defs/WaypointIndex"
     },
     "pass_through": {
      "type": "boolean"
     },
     "trajectory": {
      "enum": [
       "joint_space",
       "linear",
       "spline"
      ]
     },
     "time": {
      "$ref": "common.json#/$defs/Seconds"
     },
     "max_speed": {
      "$ref": "common.json#/$defs/Speed"
     }
    },
    "if": {
     "properties": {
      "pass_through": {
       "const": true
      }
     },
     "required": [
      "pass_through"
     ]
    },
    "else": {
     "required": [
      "trajectory"
     ]
    },
    "examples": [
     {
      "type": "trajectory",
      "trajectory": "linear",
      "waypoint_id": 1,
      "max_speed": 0.1
     }
    ]
   },
   "OutputSetAction": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "io",
     "value"
    ],
    "properties": {
     "type": {
      "const": "output-set"
     },
     "io": {
      "$ref": "common.json#/$defs/IoAddress"
     },
     "value": {
      "$ref": "common.json#/$defs/IoValue"
     }
    }
   },
   "WaitAction": {
    "description": "The robot holds its position until the condition is valid.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "condition"
    ],
    "properties": {
     "type": {
      "const": "wait"
     },
     "condition": {
      "$ref": "#/$defs/WaitCondition"
     }
    }
   },
   "RestartAction": {
    "description": "Restarts the toolpath; only at the end of an if branch.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type"
    ],
    "properties": {
     "type": {
      "const": "restart"
     }
    }
   },
   "GridAction": {
    "description": "A grid; the robot runs its timeline once per cell.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "cols",
     "rows",
     "w0",
     "wx",
     "wy",
     "timeline"
    ],
    "properties": {
     "type": {
      "const": "grid"
     },
     "cols": {
      "type": "integer",
      "minimum": 1,
      "maximum": 10000
     },
     "rows": {
      "type": "integer",
      "minimum": 1,
      "maximum": 10000
     },
     "w0": {
      "$ref": "#/$defs/WaypointIndex"
     },
     "wx": {
      "$ref": "#/$defs/WaypointIndex"
     },
     "wy": {
      "$ref": "#/$defs/WaypointIndex"
     },
     "timeline": {
      "$ref": "#/$defs/Timeline"
     }
    }
   },
   "GridWaypointAction": {
    "description": "A move to the current cell of the enclosing grid.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "z_offset"
    ],
    "properties": {
     "type": {
      "const": "grid-waypoint"
     },
     "z_offset": {
      "type": "number",
      "minimum": -100,
      "maximum": 100,
      "description": "Distance from the plane of the grid (m), positive above it."
     },
     "time": {
      "$ref": "common.json#/$defs/Seconds"
     },
     "max_speed": {
      "$ref": "common.json#/$defs/Speed"
     }
    }
   },
   "IfAction": {
    "description": "Takes the first branch whose condition is valid, or none.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "branches"
    ],
    "properties": {
     "type": {
      "const": "if"
     },
     "branches": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "$ref": "#/$defs/IfBranch"
      }
     }
    }
   },
   "IfBranch": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "condition",
     "timeline"
    ],
    "properties": {
     "condition": {
      "$ref": "#/$defs/TestCondition"
     },
     "timeline": {
      "$ref": "#/$defs/Timeline"
     }
    }
   },
   "CallRoutineAction": {
    "description": "Runs a routine completely; routine or name contains its name.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type"
    ],
    "properties": {
     "type": {
      "const": "call-routine"
     },
     "routine": {
      "$ref": "common.json#/$defs/Name"
     },
     "name": {
      "$ref": "common.json#/$defs/Name"
     }
    },
    "anyOf": [
     {
      "required": [
       "routine"
      ]
     },
     {
      "required": [
       "name"
      ]
     }
    ],
    "x-problem": "must name the routine it calls in the field routine",
    "examples": [
     {
      "type": "call-routine",
      "routine": "pick"
     }
    ]
   },
   "WaitCondition": {
    "type": "object",
    "required": [
     "type"
    ],
    "discriminator": {
     "propertyName": "type"
    },
    "oneOf": [
     {
      "$ref": "#/$defs/TimeCondition"
     },
     {
      "$ref": "#/$defs/InputCondition"
     },
     {
      "$ref": "#/$defs/OutputCondition"
     }
    ]
   },
   "TestCondition": {
    "type": "object",
    "required": [
     "type"
    ],
    "discriminator": {
     "propertyName": "type"
    },
    "oneOf": [
     {
      "$ref": "#/$defs/InputCondition"
     },
     {
      "$ref": "#/$defs/OutputCondition"
     }
    ]
   },
   "TimeCondition": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "duration"
    ],
    "properties": {
     "type": {
      "const": "time"
     },
     "duration": {
      "$ref": "common.json#/$defs/Seconds"
     }
    }
   },
   "InputCondition": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "io"
    ],
    "properties": {
     "type": {
      "const": "input"
     },
     "io": {
      "$ref": "common.json#/$defs/IoAddress"
     },
     "operator": {
      "$ref": "#/$defs/Operator"
     },
     "thresholds": {
      "$ref": "#/$defs/Thresholds"
     },
     "value": {
      "$ref": "common.json#/$defs/IoValue"
     }
    }
   },
   "OutputCondition": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "io"
    ],
    "properties": {
     "type": {
      "const": "output-test"
     },
     "io": {
      "$ref": "common.json#/$defs/IoAddress"
     },
     "operator": {
      "$ref": "#/$defs/Operator"
     },
     "thresholds": {
      "$ref": "#/$defs/Thresholds"
     },
     "value": {
      "$ref": "common.json#/$defs/IoValue"
     }
    }
   },
   "Operator": {
    "enum": [
     "equal",
     "below",
     "above",
     "inside",
     "outside"
    ]
   },
   "Thresholds": {
    "description": "Bounds of an analog value; the operator decides which of them are needed.",
    "type": "object",
    "additionalProperties": false,
    "properties": {
     "upper": {
      "type": "number"
     },
     "lower": {
      "type": "number"
     }
    }
   },
   "ToolpathHead": {
    "description": "A saved toolpath without its content.",
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "name",
     "hash"
    ],
    "properties": {
     "id": {
      "$ref": "#/$defs/ToolpathId"
     },
     "name": {
      "type": "string"
     },
     "hash": {
      "$ref": "#/$defs/ToolpathHash"
     }
    },
    "examples": [
     {
      "id": 7,
      "name": "Pick and place",
      "hash": "4f1c09"
     }
    ]
   },
   "ToolpathId": {
    "type": "integer",
    "minimum": 1
   },
   "ToolpathHash": {
    "type": "string",
    "description": "SHA-256 in hexadecimal of the canonical JSON of the toolpath."
   },
   "ToolpathsReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "toolpaths"
    ],
    "properties": {
     "toolpaths": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/ToolpathHead"
      }
     }
    }
   },
   "ToolpathStatusReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "status",
     "toolpath"
    ],
    "properties": {
     "status": {
      "enum": [
       "toolpath created",
       "toolpath updated",
       "toolpath deleted"
      ]
     },
     "toolpath": {
      "$ref": "#/$defs/ToolpathHead"
     }
    }
   },
   "StoredToolpath": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "name",
     "hash",
     "toolpath"
    ],
    "properties": {
     "id": {
      "$ref": "#/$defs/ToolpathId"
     },
     "name": {
      "type": "string"
     },
     "hash": {
      "$ref": "#/$defs/ToolpathHash"
     },
     "toolpath": {
      "$ref": "#/$defs/Toolpath"
     }
    }
   },
   "ToolpathReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "toolpath"
    ],
    "properties": {
     "toolpath": {
      "$ref": "#/$defs/StoredToolpath"
     }
    }
   },
   "BuiltToolpath": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "name",
     "hash",
     "toolpath",
     "trajectory"
    ],
    "properties": {
     "id": {
      "$ref": "#/$defs/ToolpathId"
     },
     "name": {
      "type": "string"
     },
     "hash": {
      "$ref": "#/$defs/ToolpathHash"
     },
     "toolpath": {
      "$ref": "#/$defs/Toolpath"
     },
     "trajectory": {
      "$ref": "trajectory.json#/$defs/Trajectory"
     }
    }
   },
   "BuiltToolpathReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "toolpath"
    ],
    "properties": {
     "toolpath": {
      "$ref": "#/$defs/BuiltToolpath"
     }
    }
   },
   "SharedToolpath": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "name",
     "hash",
     "sharer"
    ],
    "properties": {
     "id": {
      "const": -1
     },
     "name": {
      "type": "string"
     },
     "hash": {
      "$ref": "#/$defs/ToolpathHash"
     },
     "sharer": {
      "type": "integer",
      "description": "Id of the sharing user."
     }
    },
    "examples": [
     {
      "id": -1,
      "name": "Pick and place",
      "hash": "4f1c09",
      "sharer": 1
     }
    ]
   },
   "ReceivedToolpath": {
    "type": "object",
    "description": "The toolpath that another user shared last with the caller.",
    "additionalProperties": false,
    "required": [
     "id",
     "name",
     "hash",
     "sharer",
     "toolpath"
    ],
    "properties": {
     "id": {
      "const": -1
     },
     "name": {
      "type": "string"
     },
     "hash": {
      "$ref": "#/$defs/ToolpathHash"
     },
     "sharer": {
      "type": "integer",
      "description": "Id of the sharing user."
     },
     "toolpath": {
      "$ref": "#/$defs/Toolpath"
     }
    }
   },
   "ReceivedToolpathReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "toolpath"
    ],
    "properties": {
     "toolpath": {
      "$ref": "#/$defs/ReceivedToolpath"
     }
    }
   },
   "SharedToolpathReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "status",
     "toolpath"
    ],
    "properties": {
     "status": {
      "const": "toolpath shared"
     },
     "toolpath": {
      "$ref": "#/$defs/SharedToolpath"
     }
    }
   },
   "HashedToolpath": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "hash"
    ],
    "properties": {
     "hash": {
      "$ref": "#/$defs/ToolpathHash"
     }
    }
   },
   "CalcToolpathReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "toolpath",
     "trajectory"
    ],
    "properties": {
     "toolpath": {
      "$ref": "#/$defs/HashedToolpath"
     },
     "trajectory": {
      "$ref": "trajectory.json#/$defs/Trajectory"
     }
    }
   },
   "MigratedToolpath": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "hash",
     "toolpath"
    ],
    "properties": {
     "hash": {
      "$ref": "#/$defs/ToolpathHash"
     },
     "toolpath": {
      "$ref": "#/$defs/Toolpath"
     }
    }
   },
   "MigrateToolpathReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "toolpath",
     "breaking_changes"
    ],
    "properties": {
     "toolpath": {
      "$ref": "#/$defs/MigratedToolpath"
     },
     "breaking_changes": {
      "type": "array",
      "items": {
       "type": "string"
      }
     }
    }
   },
   "OldToolpath": {
    "description": "A toolpath of any format.",
    "type": "object",
    "additionalProperties": true,
    "examples": [
     {
      "metadata": {
       "default_velocity": 0.5,
       "next_label_id": 2
      },
      "waypoints": [
       {
        "label_id": 1,
        "joints": [
         0,
         0.5,
         -1.7,
         0,
         -1.2,
         0
        ]
       }
      ],
      "timeline": [
       {
        "type": "home",
        "waypoint_id": 0
       }
      ]
     }
    ]
   },
   "SaveToolpathBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "toolpath"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "toolpath": {
      "$ref": "#/$defs/Toolpath"
     }
    }
   },
   "ShareToolpathBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "user_id",
     "toolpath"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "user_id": {
      "type": "integer"
     },
     "toolpath": {
      "$ref": "#/$defs/Toolpath"
     }
    }
   },
   "CalcToolpathBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "toolpath"
    ],
    "properties": {
     "toolpath": {
      "$ref": "#/$defs/Toolpath"
     }
    }
   },
   "UseToolpathBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "toolpath"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     },
     "toolpath": {
      "$ref": "#/$defs/Toolpath"
     }
    }
   },
   "MigrateToolpathBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "toolpath"
    ],
    "properties": {
     "toolpath": {
      "$ref": "#/$defs/OldToolpath"
     }
    }
   }
  }
 },
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "trajectory.json",
  "description": "The computed motion of a toolpath in replies (§2.3).",
  "$defs": {
   "Trajectory": {
    "description": "An error with a timeline is soft; an error without a timeline is hard.",
    "type": "object",
    "additionalProperties": false,
    "properties": {
     "error": {
      "type": "string"
     },
     "duration": {
      "type": "number",
      "minimum": 0,
      "description": "Approximate execution time of one loop (s), from the home waypoint to the end of the timeline: no branch is taken, waits for inputs and outputs count as zero. The way to the home waypoint is not in it, neither before the first loop nor between two loops. Only without an error."
     },
     "timeline": {
      "$ref": "#/$defs/TrajectoryTimeline"
     },
     "routines": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/TrajectoryRoutine"
      }
     }
    },
    "anyOf": [
     {
      "required": [
       "error"
      ]
     },
     {
      "required": [
       "duration",
       "timeline"
      ]
     }
    ],
    "x-problem": "must have an error, or a duration and a timeline",
    "examples": [
     {
      "duration": 2.5,
      "timeline": [
       {
        "type": "segment",
        "result": true,
        "waypoints": [
         0,
         1
        ],
        "setpoints": [
         {
          "result": "success",
          "joints": [
           0,
           0.5,
           -1.7,
           0,
           -1.2,
           0
          ]
         }
        ]
       },
       {
        "type": "wait",
        "condition": {
         "type": "time",
         "duration": 0.5
        }
       }
      ]
     }
    ]
   },
   "TrajectoryTimeline": {
    "type": "array",
    "items": {
     "$ref": "#/$defs/TrajectoryItem"
    }
   },
   "TrajectoryRoutine": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "timeline"
    ],
    "properties": {
     "name": {
      "type": "string"
     },
     "timeline": {
      "$ref": "#/$defs/TrajectoryTimeline"
     }
    }
   },
   "TrajectoryItem": {
    "type": "object",
    "required": [
     "type"
    ],
    "discriminator": {
     "propertyName": "type"
    },
    "oneOf": [
     {
      "$ref": "#/$defs/SegmentItem"
     },
     {
      "$ref": "#/$defs/OutputItem"
     },
     {
      "$ref": "#/$defs/WaitItem"
     },
     {
      "$ref": "#/$defs/GridItem"
     },
     {
      "$ref": "#/$defs/IfItem"
     },
     {
      "$ref": "#/$defs/RestartItem"
     },
     {
      "$ref": "#/$defs/CallRoutineItem"
     }
    ]
   },
   "SegmentItem": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "result",
     "setpoints",
     "waypoints"
    ],
    "properties": {
     "type": {
      "const": "segment"
     },
     "result": {
      "type": "boolean",
      "description": "True when every setpoint is valid."
     },
     "setpoints": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/TrajectorySetpoint"
      }
     },
     "waypoints": {
      "type": "array",
      "items": {
       "type": "integer",
       "minimum": -1
      },
      "description": "Waypoint indexes from, through and to; -1 means a grid-waypoint."
     }
    },
    "examples": [
     {
      "type": "segment",
      "result": true,
      "waypoints": [
       0,
       1
      ],
      "setpoints": [
       {
        "result": "success",
        "joints": [
         0,
         0.5,
         -1.7,
         0,
         -1.2,
         0
        ]
       }
      ]
     }
    ]
   },
   "TrajectorySetpoint": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "result"
    ],
    "properties": {
     "result": {
      "enum": [
       "success",
       "error"
      ]
     },
     "error": {
      "$ref": "common.json#/$defs/MotionErrorCode"
     },
     "joints": {
      "type": "array",
      "items": {
       "type": "number"
      }
     }
    },
    "if": {
     "properties": {
      "result": {
       "const": "error"
      }
     }
    },
    "then": {
     "required": [
      "error"
     ]
    },
    "else": {
     "required": [
      "joints"
     ],
     "not": {
      "required": [
       "error"
      ]
     },
     "x-problem": "must not have an error when its result is success"
    },
    "examples": [
     {
      "result": "error",
      "error": "j4_boundary_limit"
     }
    ]
   },
   "OutputItem": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "io",
     "value"
    ],
    "properties": {
     "type": {
      "const": "output"
     },
     "io": {
      "$ref": "common.json#/$defs/IoAddress"
     },
     "value": {
      "$ref": "common.json#/$defs/IoValue"
     }
    }
   },
   "WaitItem": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "condition"
    ],
    "properties": {
     "type": {
      "const": "wait"
     },
     "condition": {
      "$ref": "toolpath.json#/$defs/WaitCondition"
     }
    }
   },
   "GridItem": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "iterations"
    ],
    "properties": {
     "type": {
      "const": "grid"
     },
     "iterations": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/TrajectoryTimeline"
      },
      "description": "One list of actions for each cell, row by row."
     }
    }
   },
   "IfItem": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "branches"
    ],
    "properties": {
     "type": {
      "const": "if"
     },
     "branches": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/TrajectoryBranch"
      }
     }
    }
   },
   "TrajectoryBranch": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "condition",
     "timeline"
    ],
    "properties": {
     "condition": {
      "$ref": "toolpath.json#/$defs/TestCondition"
     },
     "timeline": {
      "$ref": "#/$defs/TrajectoryTimeline"
     }
    }
   },
   "RestartItem": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type"
    ],
    "properties": {
     "type": {
      "const": "restart"
     }
    }
   },
   "CallRoutineItem": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "enter",
     "routine",
     "exit"
    ],
    "properties": {
     "type": {
      "const": "call-routine"
     },
     "enter": {
      "$ref": "#/$defs/SegmentItem",
      "description": "Transition into the routine."
     },
     "routine": {
      "type": "string"
     },
     "exit": {
      "$ref": "#/$defs/SegmentItem",
      "description": "Transition out of the routine."
     }
    },
    "examples": [
     {
      "type": "call-routine",
      "enter": {
       "type": "segment",
       "result": true,
       "waypoints": [
        0,
        1
       ],
       "setpoints": [
        {
         "result": "success",
         "joints": [
          0,
          0.5,
          -1.7,
          0,
          -1.2,
          0
         ]
        }
       ]
      },
      "routine": "pick",
      "exit": {
       "type": "segment",
       "result": true,
       "waypoints": [
        0,
        1
       ],
       "setpoints": [
        {
         "result": "success",
         "joints": [
          0,
          0.5,
          -1.7,
          0,
          -1.2,
          0
         ]
        }
       ]
      }
     }
    ]
   }
  }
 },
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "users.json",
  "description": "Users and their API tokens (§2.11, §5).",
  "$defs": {
   "User": {
    "examples": [
     {
      "id": 3,
      "email": "ada@example.org",
      "role": "user"
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "email",
     "role"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "email": {
      "type": "string"
     },
     "role": {
      "$ref": "common.json#/$defs/Role"
     }
    }
   },
   "UserReply": {
    "examples": [
     {
      "user": {
       "id": 3,
       "email": "ada@example.org",
       "role": "user"
      }
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "user"
    ],
    "properties": {
     "user": {
      "$ref": "#/$defs/User"
     }
    }
   },
   "UsersReply": {
    "examples": [
     {
      "users": [
       {
        "id": 3,
        "email": "ada@example.org",
        "role": "user"
       }
      ]
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "users"
    ],
    "properties": {
     "users": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/User"
      }
     }
    }
   },
   "CreateUserBody": {
    "examples": [
     {
      "email": "ada@example.org",
      "password": "a long and good one"
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "email",
     "password"
    ],
    "properties": {
     "email": {
      "type": "string",
      "maxLength": 254,
      "pattern": "^[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]+$",
      "x-problem": "must be an e-mail address such as ada@example.org"
     },
     "password": {
      "type": "string",
      "minLength": 8,
      "maxLength": 256
     }
    }
   },
   "UpdateUserBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
     "email": {
      "type": "string",
      "maxLength": 254,
      "pattern": "^[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]+$",
      "x-problem": "must be an e-mail address such as ada@example.org"
     },
     "password": {
      "type": "string",
      "minLength": 8,
      "maxLength": 256
     },
     "role": {
      "$ref": "common.json#/$defs/Role"
     },
     "current_password": {
      "type": "string",
      "minLength": 1,
      "maxLength": 256,
      "description": "Your own present password. Required to change your own e-mail or password, and checked wherever it is given."
     }
    },
    "minProperties": 1,
    "examples": [
     {
      "role": "admin"
     }
    ]
   },
   "ApiToken": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "name",
     "created_at",
     "last_used_at"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "name": {
      "type": "string"
     },
     "created_at": {
      "type": "string",
      "description": "RFC 3339."
     },
     "last_used_at": {
      "type": [
       "string",
       "null"
      ],
      "description": "RFC 3339, or null when never used."
     }
    }
   },
   "TokensReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "tokens"
    ],
    "properties": {
     "tokens": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/ApiToken"
      }
     }
    }
   },
   "CreateTokenBody": {
    "examples": [
     {
      "name": "laptop"
     }
    ],
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name"
    ],
    "properties": {
     "name": {
      "$ref": "common.json#/$defs/Name"
     }
    }
   },
   "CreatedTokenReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "name",
     "token"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "name": {
      "type": "string"
     },
     "token": {
      "type": "string",
      "description": "The secret; shown only once."
     }
    }
   }
  }
 },
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "webhooks.json",
  "description": "Webhooks, their payloads and their deliveries (webhooks §2, §4).",
  "$defs": {
   "HookTypeName": {
    "enum": [
     "RunStateChangeHook",
     "TaskStateChangeHook",
     "SafetyStateChangeHook",
     "LabwareMovementHook",
     "NewPlanHook"
    ]
   },
   "Hook": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "parameters"
    ],
    "properties": {
     "type": {
      "$ref": "#/$defs/HookTypeName"
     },
     "filter": {
      "enum": [
       "on_run_state_change",
       "on_task_state_change",
       "on_safety_state_change",
       "on_labware_movement",
       "on_new_plan"
      ]
     },
     "parameters": {
      "type": "object",
      "additionalProperties": false,
      "required": [
       "url"
      ],
      "properties": {
       "url": {
        "type": "string",
        "minLength": 1,
        "maxLength": 2048
       },
       "headers": {
        "type": "object"
       }
      }
     },
     "task_ids": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "type": "string",
       "maxLength": 128,
       "minLength": 1
      }
     },
     "labware_ids": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "type": "string",
       "maxLength": 128,
       "minLength": 1
      }
     },
     "trigger_on": {
      "enum": [
       "start",
       "end",
       "both"
      ]
     }
    },
    "examples": [
     {
      "type": "LabwareMovementHook",
      "parameters": {
       "url": "http://127.0.0.1:9000/hooks"
      },
      "trigger_on": "both"
     }
    ]
   },
   "RunStateChange": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "run_id",
     "timestamp",
     "state",
     "message"
    ],
    "properties": {
     "run_id": {
      "type": "string"
     },
     "timestamp": {
      "type": "string",
      "description": "RFC 3339, simulated time."
     },
     "state": {
      "enum": [
       "started",
       "paused",
       "resumed",
       "stopped"
      ]
     },
     "message": {
      "type": "string"
     }
    },
    "examples": [
     {
      "run_id": "1",
      "timestamp": "2020-01-01T00:00:00.000Z",
      "state": "started",
      "message": ""
     }
    ]
   },
   "TaskStateChange": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "run_id",
     "timestamp",
     "task_id",
     "instrument_id",
     "state",
     "action",
     "error"
    ],
    "properties": {
     "run_id": {
      "type": "string"
     },
     "timestamp": {
      "type": "string",
      "description": "RFC 3339, simulated time."
     },
     "task_id": {
      "type": "string"
     },
     "instrument_id": {
      "type": "string"
     },
     "state": {
      "enum": [
       "started",
       "failed",
       "succeeded"
      ]
     },
     "action": {
      "type": "string"
     },
     "error": {
      "type": "string"
     }
    },
    "examples": [
     {
      "run_id": "1",
      "timestamp": "2020-01-01T00:00:00.000Z",
      "task_id": "read",
      "instrument_id": "reader",
      "state": "started",
      "action": "read",
      "error": ""
     }
    ]
   },
   "SafetyStateChange": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "run_id",
     "timestamp",
     "state"
    ],
    "properties": {
     "run_id": {
      "type": "string"
     },
     "timestamp": {
      "type": "string",
      "description": "RFC 3339, simulated time."
     },
     "state": {
      "type": "string"
     }
    },
    "examples": [
     {
      "run_id": "1",
      "timestamp": "2020-01-01T00:00:00.000Z",
      "state": "emergency_stop"
     }
    ]
   },
   "LabwareMovement": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "run_id",
     "timestamp",
     "labware_id",
     "state",
     "source_instrument_id",
     "destination_instrument_id",
     "source_slot",
     "destination_slot"
    ],
    "properties": {
     "run_id": {
      "type": "string"
     },
     "timestamp": {
      "type": "string",
      "description": "RFC 3339, simulated time."
     },
     "labware_id": {
      "type": "string"
     },
     "state": {
      "enum": [
       "started",
       "finished",
       "failed"
      ]
     },
     "source_instrument_id": {
      "type": "string"
     },
     "destination_instrument_id": {
      "type": "string"
     },
     "source_slot": {
      "type": "integer"
     },
     "destination_slot": {
      "type": "integer"
     }
    },
    "examples": [
     {
      "run_id": "1",
      "timestamp": "2020-01-01T00:00:00.000Z",
      "labware_id": "plate",
      "state": "started",
      "source_instrument_id": "hotel",
      "destination_instrument_id": "reader",
      "source_slot": 1,
      "destination_slot": 1
     }
    ]
   },
   "NewPlan": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "run_id",
     "timestamp",
     "remaining_worktime"
    ],
    "properties": {
     "run_id": {
      "type": "string"
     },
     "timestamp": {
      "type": "string",
      "description": "RFC 3339, simulated time."
     },
     "remaining_worktime": {
      "type": "integer"
     }
    },
    "examples": [
     {
      "run_id": "1",
      "timestamp": "2020-01-01T00:00:00.000Z",
      "remaining_worktime": 375
     }
    ]
   },
   "RunStateChangeEvent": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "sequence",
     "hook_type",
     "body"
    ],
    "properties": {
     "sequence": {
      "type": "integer",
      "minimum": 1
     },
     "hook_type": {
      "const": "RunStateChangeHook"
     },
     "body": {
      "$ref": "#/$defs/RunStateChange"
     }
    }
   },
   "TaskStateChangeEvent": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "sequence",
     "hook_type",
     "body"
    ],
    "properties": {
     "sequence": {
      "type": "integer",
      "minimum": 1
     },
     "hook_type": {
      "const": "TaskStateChangeHook"
     },
     "body": {
      "$ref": "#/$defs/TaskStateChange"
     }
    }
   },
   "SafetyStateChangeEvent": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "sequence",
     "hook_type",
     "body"
    ],
    "properties": {
     "sequence": {
      "type": "integer",
      "minimum": 1
     },
     "hook_type": {
      "const": "SafetyStateChangeHook"
     },
     "body": {
      "$ref": "#/$defs/SafetyStateChange"
     }
    }
   },
   "LabwareMovementEvent": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "sequence",
     "hook_type",
     "body"
    ],
    "properties": {
     "sequence": {
      "type": "integer",
      "minimum": 1
     },
     "hook_type": {
      "const": "LabwareMovementHook"
     },
     "body": {
      "$ref": "#/$defs/LabwareMovement"
     }
    }
   },
   "NewPlanEvent": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "sequence",
     "hook_type",
     "body"
    ],
    "properties": {
     "sequence": {
      "type": "integer",
      "minimum": 1
     },
     "hook_type": {
      "const": "NewPlanHook"
     },
     "body": {
      "$ref": "#/$defs/NewPlan"
     }
    }
   },
   "RunEvent": {
    "description": "An event that can trigger a hook, with the payload.",
    "type": "object",
    "required": [
     "hook_type"
    ],
    "discriminator": {
     "propertyName": "hook_type"
    },
    "oneOf": [
     {
      "$ref": "#/$defs/RunStateChangeEvent"
     },
     {
      "$ref": "#/$defs/TaskStateChangeEvent"
     },
     {
      "$ref": "#/$defs/SafetyStateChangeEvent"
     },
     {
      "$ref": "#/$defs/LabwareMovementEvent"
     },
     {
      "$ref": "#/$defs/NewPlanEvent"
     }
    ]
   },
   "RunEventsReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "events",
     "next"
    ],
    "properties": {
     "events": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "$ref": "#/$defs/RunEvent"
      }
     },
     "next": {
      "type": [
       "integer",
       "null"
      ],
      "description": "`after` of the next page; null on the last page."
     }
    }
   },
   "DeliveryAttempt": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "at",
     "status",
     "error",
     "duration_ms"
    ],
    "properties": {
     "at": {
      "type": "string",
      "description": "RFC 3339, wall time."
     },
     "status": {
      "type": [
       "integer",
       "null"
      ]
     },
     "error": {
      "type": "string"
     },
     "duration_ms": {
      "type": "number"
     }
    },
    "description": "`status` is null without a reply."
   },
   "Delivery": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "message_id",
     "run_id",
     "hook_type",
     "url",
     "sequence",
     "state",
     "body",
     "attempts"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "message_id": {
      "type": "string"
     },
     "run_id": {
      "type": [
       "string",
       "null"
      ]
     },
     "hook_type": {
      "$ref": "#/$defs/HookTypeName"
     },
     "url": {
      "type": "string"
     },
     "sequence": {
      "type": "integer",
      "minimum": 1
     },
     "state": {
      "enum": [
       "pending",
       "delivered",
       "dead",
       "disabled"
      ],
      "description": "`dead` without an attempt: the queue of pending deliveries was full."
     },
     "body": {
      "type": "string"
     },
     "attempts": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/DeliveryAttempt"
      }
     }
    },
    "description": "One delivery to one address."
   },
   "DeliveriesReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "deliveries",
     "next"
    ],
    "properties": {
     "deliveries": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "$ref": "#/$defs/Delivery"
      }
     },
     "next": {
      "type": [
       "integer",
       "null"
      ],
      "description": "`before` of the next page; null on the last page."
     }
    }
   },
   "DeliveryReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "delivery"
    ],
    "properties": {
     "delivery": {
      "$ref": "#/$defs/Delivery"
     }
    }
   },
   "RedeliverBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "state"
    ],
    "properties": {
     "state": {
      "enum": [
       "delivered",
       "dead",
       "disabled"
      ],
      "description": "The state of the deliveries to send again."
     },
     "run_id": {
      "type": "integer",
      "minimum": 1,
      "description": "Only deliveries of this run."
     },
     "hook": {
      "type": "string",
      "minLength": 1,
      "maxLength": 2048,
      "description": "Only deliveries to this address."
     }
    },
    "examples": [
     {
      "state": "dead",
      "run_id": 1
     }
    ]
   },
   "RedeliveredReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "redelivered"
    ],
    "properties": {
     "redelivered": {
      "type": "integer",
      "minimum": 0,
      "description": "Number of deliveries that are pending again."
     }
    }
   },
   "TestHookBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "url"
    ],
    "properties": {
     "url": {
      "type": "string",
      "minLength": 1,
      "maxLength": 2048
     },
     "headers": {
      "type": "object",
      "maxProperties": 64
     },
     "hook_type": {
      "$ref": "#/$defs/HookTypeName"
     }
    },
    "examples": [
     {
      "url": "http://127.0.0.1:9000/hooks"
     }
    ]
   },
   "SigningSecret": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "secret",
     "previous_valid_until"
    ],
    "properties": {
     "secret": {
      "type": "string"
     },
     "previous_valid_until": {
      "type": [
       "string",
       "null"
      ]
     }
    },
    "description": "Secret of Standard Webhooks signatures; after a rotation the previous one stays valid for a day (wall time), whatever further rotations there are.",
    "examples": [
     {
      "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      "previous_valid_until": null
     }
    ]
   },
   "SecretReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "signing"
    ],
    "properties": {
     "signing": {
      "$ref": "#/$defs/SigningSecret"
     }
    }
   }
  }
 },
 {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "workflow.json",
  "description": "Workflow definitions, plans and runs (webhooks §1 to §3).",
  "$defs": {
   "WorkflowDocument": {
    "description": "A definition as sent; unknown keys are stored and give warnings.",
    "type": "object",
    "examples": [
     {
      "name": "Read a plate",
      "workflow": {
       "labware": [
        {
         "id": "plate",
         "starting_location": {
          "instrument": "hotel",
          "slot": 1
         }
        }
       ],
       "tasks": {
        "read": {
         "id": "read",
         "instrument": {
          "type": "reader"
         },
         "action": "read",
         "time_estimate": 60,
         "labware_sources": {
          "plate": {
           "type": "stored_labware",
           "labware_id": "plate",
           "slot": 1
          }
         }
        }
       },
       "hooks": [
        {
         "type": "RunStateChangeHook",
         "parameters": {
          "url": "http://127.0.0.1:9000/hooks"
         }
        }
       ]
      },
      "workcell": {
       "workcell_id": "bench",
       "instruments": [
        {
         "id": "hotel",
         "type": "hotel",
         "bench": "a",
         "capacity": 10
        },
        {
         "id": "reader",
         "type": "reader",
         "bench": "a"
        }
       ],
       "transport_matrix": {
        "default": 15
       }
      }
     }
    ]
   },
   "WorkflowDefinition": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "workflow",
     "workcell"
    ],
    "properties": {
     "name": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "metadata": {
      "type": "object"
     },
     "hooks": {
      "type": "array",
      "maxItems": 100,
      "items": {
       "type": "object"
      }
     },
     "workflow": {
      "type": "object",
      "additionalProperties": false,
      "required": [
       "labware",
       "tasks"
      ],
      "properties": {
       "labware_types": {
        "type": "array",
        "maxItems": 1000,
        "items": {
         "type": "object"
        }
       },
       "labware": {
        "type": "array",
        "maxItems": 500,
        "items": {
         "$ref": "#/$defs/WorkflowLabware"
        }
       },
       "tasks": {
        "type": "object",
        "description": "Tasks by id."
       },
       "time_constraints": {
        "type": "array",
        "maxItems": 500,
        "items": {
         "$ref": "#/$defs/WorkflowTimeConstraint"
        }
       },
       "instrument_blocks": {
        "type": "array"
       },
       "hooks": {
        "type": "array",
        "maxItems": 100,
        "items": {
         "type": "object"
        }
       },
       "batches": {
        "description": "The number of batches that the labware names in `batch`."
       },
       "planning_targets": {
        "description": "`makespan` (default): the whole work ends as early as possible; `batches`: earlier batches end first."
       }
      }
     },
     "workcell": {
      "type": "object",
      "additionalProperties": false,
      "required": [],
      "properties": {
       "workcell_id": {
        "type": "string",
        "maxLength": 256
       },
       "instruments": {
        "type": "array",
        "maxItems": 100,
        "items": {
         "$ref": "#/$defs/WorkflowInstrument"
        },
        "minItems": 1
       },
       "transport_matrix": {
        "type": "object",
        "additionalProperties": false,
        "required": [],
        "properties": {
         "default": {
          "type": "integer",
          "minimum": 0,
          "maximum": 31536000,
          "description": "Time of the transports without a path (s); 0 if absent."
         },
         "paths": {
          "type": "array",
          "maxItems": 1000,
          "items": {
           "$ref": "#/$defs/TransportPath"
          }
         }
        }
       }
      },
      "description": "With `workcell_id` alone it names a workcell of the caller; with instruments it describes one."
     },
     "options": {
      "description": "`seed`: the seed of plans for calls that give none. Other members are refused."
     },
     "run_instructions": {},
     "scheduler_config": {},
     "parameter_definitions": {}
    },
    "description": "The required parts of a definition; code checks the rules between the parts.",
    "examples": [
     {
      "name": "Read a plate",
      "workflow": {
       "labware": [
        {
         "id": "plate",
         "starting_location": {
          "instrument": "hotel",
          "slot": 1
         }
        }
       ],
       "tasks": {
        "read": {
         "id": "read",
         "instrument": {
          "type": "reader"
         },
         "action": "read",
         "time_estimate": 60,
         "labware_sources": {
          "plate": {
           "type": "stored_labware",
           "labware_id": "plate",
           "slot": 1
          }
         }
        }
       },
       "hooks": [
        {
         "type": "RunStateChangeHook",
         "parameters": {
          "url": "http://127.0.0.1:9000/hooks"
         }
        }
       ]
      },
      "workcell": {
       "workcell_id": "bench",
       "instruments": [
        {
         "id": "hotel",
         "type": "hotel",
         "bench": "a",
         "capacity": 10
        },
        {
         "id": "reader",
         "type": "reader",
         "bench": "a"
        }
       ],
       "transport_matrix": {
        "default": 15
       }
      }
     }
    ]
   },
   "TransportPath": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "source",
     "destination",
     "time"
    ],
    "properties": {
     "source": {
      "type": "string",
      "maxLength": 256,
      "description": "Id of the instrument, or name of the bench, that the transport starts at."
     },
     "destination": {
      "type": "string",
      "maxLength": 256,
      "description": "Id of the instrument, or name of the bench, that the transport ends at."
     },
     "time": {
      "type": "integer",
      "minimum": 0,
      "maximum": 31536000
     }
    },
    "description": "Time of the transports in one direction. Of several paths that fit, one between instruments counts before one with a bench.",
    "examples": [
     {
      "source": "hotel",
      "destination": "reader",
      "time": 15
     }
    ]
   },
   "WorkflowInstrument": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "type"
    ],
    "properties": {
     "id": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "name": {
      "type": "string",
      "maxLength": 256
     },
     "type": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "bench": {
      "type": "string",
      "maxLength": 256
     },
     "driver": {
      "type": "string",
      "maxLength": 256
     },
     "capacity": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000,
      "description": "Number of pieces and tasks at a time; its slots have the numbers 1 to `capacity`; default 1."
     },
     "is_slotless_container": {
      "type": "boolean",
      "description": "Whether the instrument holds any number of pieces without slots; a slot number has no meaning there."
     },
     "config": {
      "type": "object"
     },
     "mappings": {
      "type": "array",
      "maxItems": 100,
      "items": {
       "type": "string",
       "maxLength": 256
      }
     },
     "simulate": {
      "type": "boolean"
     },
     "role": {
      "enum": [
       "instrument",
       "buffer"
      ],
      "description": "The planner may put labware aside in the slots of a buffer."
     }
    },
    "examples": [
     {
      "id": "reader",
      "type": "reader",
      "bench": "a"
     }
    ]
   },
   "WorkflowLabware": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "starting_location"
    ],
    "properties": {
     "id": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "labware_type": {
      "type": "string",
      "maxLength": 256
     },
     "starting_location": {
      "type": "object",
      "additionalProperties": false,
      "required": [
       "instrument",
       "slot"
      ],
      "properties": {
       "instrument": {
        "type": "string",
        "maxLength": 128,
        "minLength": 1
       },
       "slot": {
        "type": "integer",
        "minimum": 0,
        "maximum": 4095
       }
      }
     },
     "batch": {
      "description": "Number of its batch, for `planning_targets`.",
      "type": [
       "integer",
       "null"
      ],
      "minimum": 1,
      "maximum": 1000
     }
    },
    "examples": [
     {
      "id": "plate",
      "starting_location": {
       "instrument": "hotel",
       "slot": 1
      }
     }
    ]
   },
   "LabwareNeed": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "type",
     "labware_id"
    ],
    "properties": {
     "type": {
      "enum": [
       "labware_source",
       "stored_labware"
      ]
     },
     "labware_id": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "slot": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4095,
      "description": "Slot in which a stored piece starts."
     },
     "destination_slot": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4095,
      "description": "Slot of the instrument that the piece moves to; default 1. The planner chooses no other."
     },
     "source_task": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "dependencies": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "type": "string",
       "maxLength": 128,
       "minLength": 1
      }
     },
     "units_consumed": {
      "type": "number"
     }
    },
    "description": "The source of a piece of labware of a task.",
    "examples": [
     {
      "type": "stored_labware",
      "labware_id": "plate",
      "slot": 1
     }
    ]
   },
   "LabwareOutput": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "labware_id"
    ],
    "properties": {
     "type": {
      "type": "string",
      "maxLength": 256
     },
     "labware_id": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "slot": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4095
     },
     "destination_slot": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4095
     },
     "units_produced": {
      "type": "number"
     }
    },
    "examples": [
     {
      "labware_id": "plate",
      "slot": 1
     }
    ]
   },
   "WorkflowTask": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "instrument",
     "action",
     "time_estimate"
    ],
    "properties": {
     "id": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "description": {
      "type": "string",
      "maxLength": 4096
     },
     "dependencies": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "type": "string",
       "maxLength": 128,
       "minLength": 1
      }
     },
     "instrument": {
      "type": "object",
      "additionalProperties": false,
      "required": [
       "type"
      ],
      "properties": {
       "type": {
        "type": "string",
        "maxLength": 128,
        "minLength": 1
       },
       "mappings": {
        "type": "array",
        "maxItems": 100,
        "items": {
         "type": "string",
         "maxLength": 256
        }
       }
      }
     },
     "action": {
      "type": "string",
      "maxLength": 256
     },
     "time_estimate": {
      "type": "integer",
      "minimum": 0,
      "maximum": 31536000
     },
     "labware_sources": {
      "type": "object",
      "description": "Sources by labware id."
     },
     "labware_outputs": {
      "type": [
       "object",
       "array"
      ],
      "description": "Outputs by labware id; empty means the same as the sources."
     },
     "inputs": {},
     "skip": {
      "type": "boolean"
     },
     "mock_behaviour": {
      "type": "object",
      "additionalProperties": false,
      "required": [],
      "properties": {
       "execution_time": {
        "type": "number",
        "minimum": 0,
        "maximum": 31536000
       },
       "success": {
        "type": "boolean"
       },
       "data_outputs": {}
      }
     },
     "available_failure_actions": {
      "type": "object",
      "additionalProperties": false,
      "required": [],
      "properties": {
       "complete_manually": {
        "type": "boolean"
       },
       "retry": {
        "type": "boolean"
       },
       "ignore": {
        "type": "boolean"
       },
       "max_retries": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000,
        "description": "Most retries of the task in a run; default none."
       }
      },
      "description": "What an operator may choose after a failure; default: retry and complete_manually."
     }
    },
    "examples": [
     {
      "id": "read",
      "instrument": {
       "type": "reader"
      },
      "action": "read",
      "time_estimate": 60
     }
    ]
   },
   "WorkflowTimeConstraint": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "type",
     "start_task_id",
     "end_task_id"
    ],
    "properties": {
     "id": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "type": {
      "enum": [
       "start_to_end",
       "start_to_start",
       "end_to_end",
       "end_to_start"
      ]
     },
     "start_task_id": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "end_task_id": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "min_duration": {
      "type": "integer",
      "minimum": 0,
      "maximum": 31536000
     },
     "max_duration": {
      "type": "integer",
      "minimum": 0,
      "maximum": 31536000
     },
     "on_violation": {
      "enum": [
       "continue",
       "pause",
       "abort_labware",
       "stop"
      ],
      "description": "What happens when the limit is broken; default continue."
     }
    },
    "examples": [
     {
      "id": "soon",
      "type": "end_to_start",
      "start_task_id": "mix",
      "end_task_id": "read",
      "max_duration": 120
     }
    ]
   },
   "StationConfig": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "approach",
     "grip"
    ],
    "properties": {
     "approach": {
      "$ref": "common.json#/$defs/Joints"
     },
     "grip": {
      "$ref": "common.json#/$defs/Joints"
     }
    },
    "examples": [
     {
      "approach": [
       0,
       0.5,
       -1.7,
       0,
       -1.2,
       0
      ],
      "grip": [
       0,
       0.4,
       -1.8,
       0,
       -1.1,
       0
      ]
     }
    ]
   },
   "TransportConfig": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "home",
     "default_max_speed",
     "gripper",
     "stations"
    ],
    "properties": {
     "home": {
      "$ref": "common.json#/$defs/Joints"
     },
     "default_max_speed": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 1.5
     },
     "gripper": {
      "type": "object",
      "additionalProperties": false,
      "required": [
       "location",
       "type",
       "index",
       "closed",
       "settle_s"
      ],
      "properties": {
       "location": {
        "enum": [
         "base",
         "end_effector"
        ]
       },
       "type": {
        "const": "digital"
       },
       "index": {
        "type": "integer",
        "minimum": 0,
        "maximum": 3
       },
       "closed": {
        "type": "boolean"
       },
       "settle_s": {
        "type": "number",
        "minimum": 0,
        "maximum": 60
       }
      }
     },
     "stations": {
      "type": "object",
      "description": "Stations by instrument id, then by slot."
     }
    },
    "examples": [
     {
      "home": [
       0,
       0.5,
       -1.7,
       0,
       -1.2,
       0
      ],
      "default_max_speed": 0.5,
      "gripper": {
       "location": "end_effector",
       "type": "digital",
       "index": 0,
       "closed": true,
       "settle_s": 0.3
      },
      "stations": {}
     }
    ],
    "description": "Labware transport by the arm: the `config` of the instrument of type transport."
   },
   "WorkflowHead": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "name",
     "warnings"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "name": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "warnings": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "type": "string"
      }
     }
    }
   },
   "WorkflowReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "workflow"
    ],
    "properties": {
     "workflow": {
      "$ref": "#/$defs/WorkflowHead"
     }
    }
   },
   "WorkflowsReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "workflows"
    ],
    "properties": {
     "workflows": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/WorkflowHead"
      }
     }
    }
   },
   "StoredWorkflow": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "name",
     "warnings",
     "definition"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "name": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "warnings": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "type": "string"
      }
     },
     "definition": {
      "type": "object"
     }
    }
   },
   "StoredWorkflowReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "workflow"
    ],
    "properties": {
     "workflow": {
      "$ref": "#/$defs/StoredWorkflow"
     }
    }
   },
   "ValidationReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "is_valid",
     "errors",
     "warnings"
    ],
    "properties": {
     "is_valid": {
      "type": "boolean"
     },
     "errors": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "type": "object",
       "additionalProperties": false,
       "required": [
        "path",
        "message"
       ],
       "properties": {
        "path": {
         "type": "string"
        },
        "message": {
         "type": "string"
        }
       }
      }
     },
     "warnings": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "type": "string"
      }
     },
     "plan": {
      "$ref": "#/$defs/WorkflowPlan",
      "description": "The plan, where `plan=1` was asked for and the definition has one."
     }
    }
   },
   "PlannedWorkflowTask": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "start",
     "end",
     "instrument",
     "labware_in",
     "labware_out"
    ],
    "properties": {
     "start": {
      "type": "integer"
     },
     "end": {
      "type": "integer"
     },
     "instrument": {
      "type": [
       "string",
       "null"
      ]
     },
     "labware_in": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "type": "string"
      }
     },
     "labware_out": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "type": "string"
      }
     }
    },
    "description": "Seconds since the start of the plan."
   },
   "PlannedTransport": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "labware_id",
     "source_instrument_id",
     "source_slot",
     "destination_instrument_id",
     "destination_slot",
     "start",
     "end"
    ],
    "properties": {
     "labware_id": {
      "type": "string"
     },
     "source_instrument_id": {
      "type": "string"
     },
     "source_slot": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4095
     },
     "destination_instrument_id": {
      "type": "string"
     },
     "destination_slot": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4095
     },
     "start": {
      "type": "integer"
     },
     "end": {
      "type": "integer"
     }
    }
   },
   "WorkflowPlan": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "makespan",
     "lower_bound",
     "tasks",
     "transports",
     "critical_path"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "makespan": {
      "type": "integer"
     },
     "lower_bound": {
      "type": "integer"
     },
     "tasks": {
      "type": "object",
      "description": "Planned tasks by id: start, end, instrument, labware_in, labware_out."
     },
     "transports": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/PlannedTransport"
      }
     },
     "critical_path": {
      "type": "array",
      "maxItems": 10000,
      "items": {
       "type": "string"
      }
     },
     "cycle": {
      "$ref": "#/$defs/PlanCycle"
     }
    }
   },
   "PlanCycle": {
    "type": "object",
    "description": "The shortest steady cycle found for equal pieces, or equal groups of pieces that share tasks.",
    "additionalProperties": false,
    "required": [
     "period_s",
     "lower_bound_s",
     "equal_groups",
     "pieces_per_group",
     "groups_per_cycle",
     "instrument_id"
    ],
    "properties": {
     "period_s": {
      "type": "number",
      "description": "Time from the end of one group to that of the next."
     },
     "lower_bound_s": {
      "type": "number",
      "description": "No steady cycle has a shorter period."
     },
     "equal_groups": {
      "type": "integer",
      "minimum": 3,
      "description": "Groups with the same work; pieces if each is alone."
     },
     "pieces_per_group": {
      "type": "integer",
      "minimum": 1
     },
     "groups_per_cycle": {
      "type": "integer",
      "minimum": 1,
      "description": "Groups after which the cycle repeats."
     },
     "instrument_id": {
      "type": [
       "string",
       "null"
      ],
      "description": "Instrument that the lower bound comes from; null: the arm."
     }
    }
   },
   "PlanReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "plan",
     "analysis"
    ],
    "properties": {
     "plan": {
      "$ref": "#/$defs/WorkflowPlan"
     },
     "analysis": {
      "$ref": "#/$defs/PlanAnalysis"
     }
    }
   },
   "RunFault": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "task_id"
    ],
    "properties": {
     "task_id": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "error": {
      "type": "string",
      "maxLength": 256,
      "minLength": 1
     },
     "times": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000
     }
    },
    "description": "A failure of a simulated instrument; `times` consecutive failures, default 1."
   },
   "StartRunBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
     "simulate_time": {
      "type": "boolean"
     },
     "simulate_drivers": {
      "type": "boolean"
     },
     "seed": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4294967295
     },
     "faults": {
      "type": "array",
      "maxItems": 100,
      "items": {
       "$ref": "#/$defs/RunFault"
      }
     },
     "deck": {
      "enum": [
       "check",
       "as_defined",
       "as_found"
      ],
      "description": "Where the definition and the deck of the workcell differ: refuse the run (default), take the starting locations of the definition, or take the deck."
     },
     "continue_run_id": {
      "type": "integer",
      "minimum": 1,
      "description": "A stopped run of the same workflow: its succeeded and skipped tasks are not repeated."
     },
     "priority": {
      "type": "integer",
      "minimum": 0,
      "maximum": 9,
      "description": "Larger first where runs share a workcell; default 5."
     },
     "start_after_s": {
      "type": "number",
      "minimum": 0,
      "maximum": 31536000,
      "description": "No task or move starts earlier than this after the start of the run (s)."
     },
     "due_s": {
      "type": "number",
      "minimum": 0,
      "maximum": 31536000,
      "description": "When the run should have ended (s after its start); lateness costs ten times as much as a later end of another run of the same priority."
     }
    },
    "examples": [
     {
      "simulate_drivers": true
     }
    ]
   },
   "RunStateName": {
    "enum": [
     "started",
     "paused",
     "stopped"
    ]
   },
   "RunHead": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "workflow_id",
     "workcell_id",
     "name",
     "state",
     "message",
     "started_at",
     "stopped_at"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "workflow_id": {
      "type": "integer",
      "minimum": 1
     },
     "name": {
      "type": "string"
     },
     "state": {
      "$ref": "#/$defs/RunStateName"
     },
     "message": {
      "type": "string"
     },
     "started_at": {
      "type": "string",
      "description": "RFC 3339, simulated time."
     },
     "stopped_at": {
      "type": [
       "string",
       "null"
      ]
     },
     "workcell_id": {
      "type": [
       "integer",
       "null"
      ],
      "description": "Null for a run with simulated drivers, which has no deck."
     }
    }
   },
   "StartedRunReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "run"
    ],
    "properties": {
     "run": {
      "$ref": "#/$defs/RunHead"
     }
    }
   },
   "RunsReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "runs"
    ],
    "properties": {
     "runs": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/RunHead"
      }
     }
    }
   },
   "RunTask": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "state",
     "instrument_id",
     "started_at_s",
     "ended_at_s",
     "error"
    ],
    "properties": {
     "id": {
      "type": "string"
     },
     "state": {
      "enum": [
       "waiting",
       "running",
       "succeeded",
       "failed",
       "skipped",
       "aborted",
       "completed_manually"
      ]
     },
     "instrument_id": {
      "type": [
       "string",
       "null"
      ]
     },
     "started_at_s": {
      "type": [
       "number",
       "null"
      ]
     },
     "ended_at_s": {
      "type": [
       "number",
       "null"
      ]
     },
     "error": {
      "type": "string"
     },
     "planned_start_s": {
      "type": [
       "number",
       "null"
      ],
      "description": "By the first plan of the run; null if that did not contain it."
     },
     "planned_end_s": {
      "type": [
       "number",
       "null"
      ]
     }
    },
    "description": "Times in seconds since the start of the run."
   },
   "LabwarePlace": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "labware_id",
     "instrument_id",
     "slot"
    ],
    "properties": {
     "labware_id": {
      "type": "string"
     },
     "instrument_id": {
      "type": [
       "string",
       "null"
      ]
     },
     "slot": {
      "type": [
       "integer",
       "null"
      ]
     }
    },
    "description": "Null while the arm carries the labware."
   },
   "RunMove": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "labware_id",
     "source_instrument_id",
     "source_slot",
     "destination_instrument_id",
     "destination_slot",
     "started_at_s",
     "ended_at_s"
    ],
    "properties": {
     "labware_id": {
      "type": "string"
     },
     "source_instrument_id": {
      "type": "string"
     },
     "source_slot": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4095
     },
     "destination_instrument_id": {
      "type": "string"
     },
     "destination_slot": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4095
     },
     "started_at_s": {
      "type": [
       "number",
       "null"
      ],
      "description": "When the gripper held the piece, as the webhook `started`; null before."
     },
     "ended_at_s": {
      "type": [
       "number",
       "null"
      ],
      "description": "When the piece rested in its slot, as the webhook `finished`."
     },
     "planned_start_s": {
      "type": [
       "number",
       "null"
      ],
      "description": "When the gripper closes by the first plan; null if that did not contain it."
     },
     "planned_end_s": {
      "type": [
       "number",
       "null"
      ],
      "description": "When the gripper opens by the first plan of the run."
     },
     "arm_started_at_s": {
      "type": [
       "number",
       "null"
      ]
     },
     "arm_ended_at_s": {
      "type": [
       "number",
       "null"
      ]
     }
    },
    "description": "Times in seconds since the start of the run."
   },
   "WaitingTask": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "task_id",
     "reasons"
    ],
    "properties": {
     "task_id": {
      "type": "string"
     },
     "reasons": {
      "type": "array",
      "maxItems": 1000,
      "items": {
       "type": "string"
      }
     }
    }
   },
   "RunDetails": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "workflow_id",
     "workcell_id",
     "name",
     "state",
     "message",
     "started_at",
     "stopped_at",
     "now_s",
     "uses_arm",
     "pausing",
     "tasks",
     "labware",
     "moves",
     "plan",
     "waiting",
     "violations",
     "limits",
     "schedule"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "workflow_id": {
      "type": "integer",
      "minimum": 1
     },
     "name": {
      "type": "string"
     },
     "state": {
      "$ref": "#/$defs/RunStateName"
     },
     "message": {
      "type": "string"
     },
     "started_at": {
      "type": "string",
      "description": "RFC 3339, simulated time."
     },
     "stopped_at": {
      "type": [
       "string",
       "null"
      ]
     },
     "uses_arm": {
      "type": "boolean",
      "description": "True while the run holds the robot lock and moves the arm."
     },
     "pausing": {
      "type": "boolean",
      "description": "True while a requested pause waits for what is under way to end: the run is `started` and starts nothing more."
     },
     "now_s": {
      "type": "number"
     },
     "tasks": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/RunTask"
      }
     },
     "labware": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/LabwarePlace"
      }
     },
     "moves": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/RunMove"
      }
     },
     "plan": {
      "oneOf": [
       {
        "$ref": "#/$defs/WorkflowPlan"
       },
       {
        "type": "null"
       }
      ]
     },
     "waiting": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/WaitingTask"
      }
     },
     "workcell_id": {
      "type": [
       "integer",
       "null"
      ]
     },
     "violations": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/LimitViolation"
      }
     },
     "limits": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/RunLimit"
      }
     },
     "schedule": {
      "oneOf": [
       {
        "$ref": "#/$defs/RunSchedule"
       },
       {
        "type": "null"
       }
      ]
     }
    }
   },
   "RunReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "run"
    ],
    "properties": {
     "run": {
      "$ref": "#/$defs/RunDetails"
     }
    }
   },
   "PauseRunBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [],
    "properties": {
     "immediate": {
      "type": "boolean"
     }
    },
    "examples": [
     {
      "immediate": false
     }
    ]
   },
   "TaskChoiceBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "task_id"
    ],
    "properties": {
     "task_id": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     }
    },
    "examples": [
     {
      "task_id": "read"
     }
    ]
   },
   "InstrumentStateBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "instrument_id",
     "is_up"
    ],
    "properties": {
     "instrument_id": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "is_up": {
      "type": "boolean"
     }
    },
    "examples": [
     {
      "instrument_id": "reader",
      "is_up": false
     }
    ]
   },
   "WorkcellBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "instruments"
    ],
    "properties": {
     "name": {
      "type": "string",
      "maxLength": 256,
      "minLength": 1,
      "description": "The `workcell_id` of definitions."
     },
     "instruments": {
      "type": "array",
      "maxItems": 100,
      "items": {
       "$ref": "#/$defs/WorkflowInstrument"
      },
      "minItems": 1
     },
     "transport_matrix": {
      "type": "object",
      "additionalProperties": false,
      "required": [],
      "properties": {
       "default": {
        "type": "integer",
        "minimum": 0,
        "maximum": 31536000,
        "description": "Time of the transports without a path (s); 0 if absent."
       },
       "paths": {
        "type": "array",
        "maxItems": 1000,
        "items": {
         "$ref": "#/$defs/TransportPath"
        }
       }
      }
     }
    },
    "examples": [
     {
      "name": "bench",
      "instruments": [
       {
        "id": "hotel",
        "type": "hotel",
        "bench": "a",
        "capacity": 10
       },
       {
        "id": "reader",
        "type": "reader",
        "bench": "a"
       }
      ],
      "transport_matrix": {
       "default": 15
      }
     }
    ]
   },
   "WorkcellHead": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "name"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "name": {
      "type": "string"
     }
    }
   },
   "WorkcellsReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "workcells"
    ],
    "properties": {
     "workcells": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/WorkcellHead"
      }
     }
    }
   },
   "StoredWorkcell": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "id",
     "name",
     "instruments"
    ],
    "properties": {
     "id": {
      "type": "integer",
      "minimum": 1
     },
     "name": {
      "type": "string"
     },
     "instruments": {
      "type": "array",
      "maxItems": 100,
      "items": {
       "$ref": "#/$defs/WorkflowInstrument"
      },
      "minItems": 1
     },
     "transport_matrix": {
      "type": "object",
      "additionalProperties": false,
      "required": [],
      "properties": {
       "default": {
        "type": "integer",
        "minimum": 0,
        "maximum": 31536000,
        "description": "Time of the transports without a path (s); 0 if absent."
       },
       "paths": {
        "type": "array",
        "maxItems": 1000,
        "items": {
         "$ref": "#/$defs/TransportPath"
        }
       }
      }
     }
    }
   },
   "WorkcellReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "workcell"
    ],
    "properties": {
     "workcell": {
      "$ref": "#/$defs/StoredWorkcell"
     }
    }
   },
   "DeckLabware": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "labware_id",
     "instrument_id",
     "slot"
    ],
    "properties": {
     "labware_id": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "instrument_id": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     },
     "slot": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4095
     }
    }
   },
   "DeckBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "labware",
     "gripper"
    ],
    "properties": {
     "labware": {
      "type": "array",
      "maxItems": 5000,
      "items": {
       "$ref": "#/$defs/DeckLabware"
      }
     },
     "gripper": {
      "type": [
       "string",
       "null"
      ],
      "maxLength": 128,
      "minLength": 1,
      "description": "The piece in the gripper."
     }
    },
    "description": "Where each piece of labware stands.",
    "examples": [
     {
      "labware": [
       {
        "labware_id": "plate",
        "instrument_id": "hotel",
        "slot": 1
       }
      ],
      "gripper": null
     }
    ]
   },
   "DeckState": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "workcell_id",
     "labware",
     "gripper",
     "runs"
    ],
    "properties": {
     "workcell_id": {
      "type": "integer",
      "minimum": 1
     },
     "labware": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/DeckLabware"
      }
     },
     "gripper": {
      "type": [
       "string",
       "null"
      ]
     },
     "runs": {
      "type": "array",
      "items": {
       "type": "integer"
      },
      "description": "Ids of the active runs on the workcell."
     }
    }
   },
   "DeckReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "deck"
    ],
    "properties": {
     "deck": {
      "$ref": "#/$defs/DeckState"
     }
    }
   },
   "LimitViolation": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "constraint_id",
     "kind",
     "limit_s",
     "elapsed_s",
     "at_s",
     "on_violation"
    ],
    "properties": {
     "constraint_id": {
      "type": "string"
     },
     "kind": {
      "enum": [
       "too_long",
       "too_short"
      ]
     },
     "limit_s": {
      "type": "number"
     },
     "elapsed_s": {
      "type": "number",
      "description": "Until the end of the limit, or until now."
     },
     "at_s": {
      "type": "number",
      "description": "When it was broken."
     },
     "on_violation": {
      "enum": [
       "continue",
       "pause",
       "abort_labware",
       "stop"
      ]
     }
    },
    "description": "A broken limit of time; seconds since the start of the run."
   },
   "RunLimit": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "constraint_id",
     "state",
     "min_s",
     "max_s",
     "elapsed_s",
     "planned_s",
     "slack_s"
    ],
    "properties": {
     "constraint_id": {
      "type": "string"
     },
     "state": {
      "enum": [
       "waiting",
       "running",
       "held",
       "broken",
       "void"
      ]
     },
     "min_s": {
      "type": "number"
     },
     "max_s": {
      "type": [
       "number",
       "null"
      ]
     },
     "elapsed_s": {
      "type": [
       "number",
       "null"
      ]
     },
     "planned_s": {
      "type": [
       "number",
       "null"
      ]
     },
     "slack_s": {
      "type": [
       "number",
       "null"
      ],
      "description": "Planned distance to `max_s`; negative if the plan breaks the limit."
     }
    },
    "description": "A limit of time in a run. Void: one of its tasks is skipped or aborted."
   },
   "LabwareChoiceBody": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "labware_id"
    ],
    "properties": {
     "labware_id": {
      "type": "string",
      "maxLength": 128,
      "minLength": 1
     }
    },
    "examples": [
     {
      "labware_id": "plate"
     }
    ]
   },
   "WhatIfChoice": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "choice",
     "is_allowed",
     "makespan_s",
     "broken_limits",
     "aborted_tasks",
     "problems"
    ],
    "properties": {
     "choice": {
      "enum": [
       "retry",
       "complete_manually",
       "ignore",
       "abort_labware",
       "stop"
      ]
     },
     "is_allowed": {
      "type": "boolean",
      "description": "Whether the call of the choice is accepted now. Without a plan (`makespan_s` is null) the run cannot be resumed after it."
     },
     "makespan_s": {
      "type": [
       "number",
       "null"
      ],
      "description": "Planned end, in seconds since the start of the run; null without a plan."
     },
     "broken_limits": {
      "type": "array",
      "items": {
       "type": "string"
      },
      "description": "Limits of time that are broken or that the plan breaks."
     },
     "aborted_tasks": {
      "type": "array",
      "items": {
       "type": "string"
      }
     },
     "problems": {
      "type": "array",
      "items": {
       "type": "string"
      },
      "description": "Why there is no plan."
     }
    }
   },
   "WhatIfReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "choices"
    ],
    "properties": {
     "choices": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/WhatIfChoice"
      }
     }
    }
   },
   "RunSchedule": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "priority",
     "start_after_s",
     "due_s",
     "held_labware"
    ],
    "description": "What decides the order of an active run among others, and the labware that an operator holds.",
    "properties": {
     "priority": {
      "type": "integer"
     },
     "start_after_s": {
      "type": "number"
     },
     "due_s": {
      "type": [
       "number",
       "null"
      ]
     },
     "held_labware": {
      "type": "array",
      "items": {
       "type": "string"
      }
     }
    }
   },
   "RunOperation": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "kind",
     "task_id",
     "labware_id",
     "instrument_id",
     "slot",
     "source_instrument_id",
     "source_slot",
     "state",
     "planned_start_s",
     "planned_end_s",
     "started_at_s",
     "ended_at_s",
     "started_at",
     "ended_at",
     "error",
     "arm_started_at_s",
     "arm_ended_at_s"
    ],
    "description": "A task or a move, which lasts from the grip until the piece rests. Times in seconds since the start of the run, and in RFC 3339.",
    "properties": {
     "kind": {
      "enum": [
       "task",
       "move"
      ]
     },
     "task_id": {
      "type": [
       "string",
       "null"
      ]
     },
     "labware_id": {
      "type": [
       "string",
       "null"
      ]
     },
     "instrument_id": {
      "type": [
       "string",
       "null"
      ],
      "description": "Of a move: the destination."
     },
     "slot": {
      "type": [
       "integer",
       "null"
      ]
     },
     "source_instrument_id": {
      "type": [
       "string",
       "null"
      ]
     },
     "source_slot": {
      "type": [
       "integer",
       "null"
      ]
     },
     "state": {
      "type": "string"
     },
     "planned_start_s": {
      "type": [
       "number",
       "null"
      ]
     },
     "planned_end_s": {
      "type": [
       "number",
       "null"
      ]
     },
     "started_at_s": {
      "type": [
       "number",
       "null"
      ]
     },
     "ended_at_s": {
      "type": [
       "number",
       "null"
      ]
     },
     "started_at": {
      "type": [
       "string",
       "null"
      ]
     },
     "ended_at": {
      "type": [
       "string",
       "null"
      ]
     },
     "error": {
      "type": "string"
     },
     "arm_started_at_s": {
      "type": [
       "number",
       "null"
      ]
     },
     "arm_ended_at_s": {
      "type": [
       "number",
       "null"
      ]
     }
    }
   },
   "RunReport": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "run",
     "operations",
     "violations"
    ],
    "properties": {
     "run": {
      "$ref": "#/$defs/RunHead"
     },
     "operations": {
      "type": "array",
      "maxItems": 10000,
      "items": {
       "$ref": "#/$defs/RunOperation"
      }
     },
     "violations": {
      "type": "array",
      "items": {
       "$ref": "#/$defs/LimitViolation"
      }
     }
    }
   },
   "PlannedOperation": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "name",
     "task_id",
     "labware_id",
     "instrument_id",
     "start_s",
     "end_s",
     "slack_s",
     "is_critical"
    ],
    "description": "An operation of a plan. `slack_s`: how much later it could end without a later end of the plan, in the order of the plan and without regard to upper limits of time.",
    "properties": {
     "name": {
      "type": "string"
     },
     "task_id": {
      "type": [
       "string",
       "null"
      ]
     },
     "labware_id": {
      "type": [
       "string",
       "null"
      ]
     },
     "instrument_id": {
      "type": [
       "string",
       "null"
      ]
     },
     "start_s": {
      "type": "number"
     },
     "end_s": {
      "type": "number"
     },
     "slack_s": {
      "type": "number"
     },
     "is_critical": {
      "type": "boolean"
     }
    }
   },
   "PlanAnalysis": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "operations",
     "bottleneck"
    ],
    "properties": {
     "operations": {
      "type": "array",
      "maxItems": 10000,
      "items": {
       "$ref": "#/$defs/PlannedOperation"
      }
     },
     "bottleneck": {
      "type": "string",
      "description": "What the length of the plan depends on, in a sentence."
     }
    }
   },
   "RunPlanReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "plan",
     "analysis"
    ],
    "properties": {
     "plan": {
      "$ref": "#/$defs/WorkflowPlan"
     },
     "analysis": {
      "$ref": "#/$defs/PlanAnalysis"
     }
    }
   },
   "RobustnessReply": {
    "type": "object",
    "additionalProperties": false,
    "required": [
     "robustness"
    ],
    "properties": {
     "robustness": {
      "type": "object",
      "additionalProperties": false,
      "required": [
       "executions",
       "planned_makespan_s",
       "mean_makespan_s",
       "p90_makespan_s",
       "limits"
      ],
      "description": "Executions of a plan in its order. Durations of tasks are triangular: from 1 − scatter to 1 + 2 · scatter of the estimate, which is the most frequent.",
      "properties": {
       "executions": {
        "type": "integer"
       },
       "planned_makespan_s": {
        "type": "number"
       },
       "mean_makespan_s": {
        "type": "number"
       },
       "p90_makespan_s": {
        "type": "number",
        "description": "Nine of ten executions have ended by then."
       },
       "limits": {
        "type": "array",
        "maxItems": 500,
        "items": {
         "type": "object",
         "additionalProperties": false,
         "required": [
          "id",
          "holds"
         ],
         "properties": {
          "id": {
           "type": "string"
          },
          "holds": {
           "type": "number",
           "minimum": 0,
           "maximum": 1
          }
         }
        }
       }
      }
     }
    }
   }
  }
 }
];
