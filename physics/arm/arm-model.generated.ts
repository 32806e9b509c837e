// GENERATED from arm-model.json by tools/generate.mjs; do not edit.
export const armModelData = {
  "about": "Geometry, limits and masses of the arm. SI units, radians; frames: x forward, z up, all zero = upright. `mark` of each group: confirmed (public source or published reply), estimate (derived), own (the twin's choice).",
  "chain": {
    "mark": "confirmed",
    "joints": [
      {
        "offset_m": [
          0,
          0,
          0.151
        ],
        "axis": "+z",
        "software_limit_rad": [
          -3.12413936106985,
          3.12413936106985
        ],
        "mechanical_limit_rad": [
          -3.141592653589793,
          3.141592653589793
        ]
      },
      {
        "offset_m": [
          0.056,
          0,
          0.1323
        ],
        "axis": "-y",
        "software_limit_rad": [
          -2.705260340591211,
          1.2217304763960306
        ],
        "mechanical_limit_rad": [
          -2.775073510670984,
          1.2915436464758039
        ]
      },
      {
        "offset_m": [
          0,
          0,
          0.205
        ],
        "axis": "-y",
        "software_limit_rad": [
          -2.792526803190927,
          0.7853981633974483
        ],
        "mechanical_limit_rad": [
          -2.8797932657906435,
          0.8203047484373349
        ]
      },
      {
        "offset_m": [
          -0.056,
          0,
          0.09401
        ],
        "axis": "+z",
        "software_limit_rad": [
          -3.12413936106985,
          3.12413936106985
        ],
        "mechanical_limit_rad": [
          -3.141592653589793,
          3.141592653589793
        ]
      },
      {
        "offset_m": [
          0,
          0,
          0.1966
        ],
        "axis": "-y",
        "software_limit_rad": [
          -2.705260340591211,
          0.17453292519943295
        ],
        "mechanical_limit_rad": [
          -2.775073510670984,
          0.19198621771937624
        ]
      },
      {
        "offset_m": [
          -0.065,
          0,
          0.0741
        ],
        "axis": "+z",
        "software_limit_rad": [
          -3.12413936106985,
          3.12413936106985
        ],
        "mechanical_limit_rad": [
          -3.141592653589793,
          3.141592653589793
        ]
      }
    ]
  },
  "flange": {
    "mark": "estimate",
    "offset_m": [
      0,
      0,
      0.02539
    ]
  },
  "ratings": {
    "mark": "confirmed",
    "mass_kg": 9.5,
    "payload_max_kg": 1.25,
    "reach_m": 0.6,
    "joint_speed_rad_s": 2.0943951023931953
  },
  "motion": {
    "mark": "own",
    "velocity_max_rad_s": [
      2.094,
      2.094,
      2.094,
      2.094,
      2.094,
      2.094
    ],
    "acceleration_max_rad_s2": [
      10,
      10,
      10,
      10,
      10,
      10
    ],
    "jerk_max_rad_s3": [
      100,
      100,
      100,
      100,
      100,
      100
    ],
    "tool_acceleration_max_m_s2": 10
  },
  "energy": {
    "mark": "own",
    "tool_max_j": 1,
    "joint_max_j": [
      3.2,
      2.7,
      1.1,
      0.17,
      0.15,
      0.05
    ]
  },
  "links": {
    "mark": "estimate",
    "mass_scale": 1.028138528138528,
    "list": [
      {
        "name": "base",
        "mass_kg": 2.216,
        "com_m": [
          -0.0008,
          0,
          0.0722
        ],
        "inertia_kg_m2": [
          0.00653,
          0.00659,
          0.00517,
          0.000001,
          -0.000029,
          5e-7
        ]
      },
      {
        "name": "1",
        "mass_kg": 1.368,
        "com_m": [
          0.0338,
          -0.0286,
          0.1016
        ],
        "inertia_kg_m2": [
          0.00246,
          0.00385,
          0.00219,
          0.000132,
          -0.000887,
          0.000178
        ]
      },
      {
        "name": "2",
        "mass_kg": 2.146,
        "com_m": [
          -0.0111,
          0.0411,
          0.0955
        ],
        "inertia_kg_m2": [
          0.01957,
          0.02142,
          0.00338,
          -0.00016,
          0.000375,
          0.000079
        ]
      },
      {
        "name": "3",
        "mass_kg": 1.041,
        "com_m": [
          -0.0176,
          -0.0288,
          0.021
        ],
        "inertia_kg_m2": [
          0.0014,
          0.00223,
          0.0014,
          0.000098,
          0.000491,
          -0.000109
        ]
      },
      {
        "name": "4",
        "mass_kg": 1.215,
        "com_m": [
          -0.0001,
          -0.0084,
          0.0825
        ],
        "inertia_kg_m2": [
          0.00304,
          0.00346,
          0.00106,
          -8e-7,
          0.000007,
          0.000422
        ]
      },
      {
        "name": "5",
        "mass_kg": 1.163,
        "com_m": [
          -0.0336,
          0.0039,
          0.0068
        ],
        "inertia_kg_m2": [
          0.00141,
          0.00127,
          0.00064,
          -0.000016,
          0.00008,
          0.000008
        ]
      },
      {
        "name": "6",
        "mass_kg": 0.09,
        "com_m": [
          -0.0001,
          0,
          0.012
        ],
        "inertia_kg_m2": [
          0.000032,
          0.000032,
          0.000056,
          4e-8,
          -1e-7,
          -2e-9
        ]
      }
    ]
  },
  "collision": {
    "mark": "estimate",
    "capsules": [
      {
        "name": "B0",
        "link": 0,
        "from_m": [
          0,
          0,
          0
        ],
        "to_m": [
          0,
          0,
          0.025
        ],
        "radius_m": 0.092
      },
      {
        "name": "B1",
        "link": 0,
        "from_m": [
          0,
          0,
          0.06
        ],
        "to_m": [
          0,
          0,
          0.12
        ],
        "radius_m": 0.069
      },
      {
        "name": "L1a",
        "link": 1,
        "from_m": [
          0,
          0,
          0.012
        ],
        "to_m": [
          0,
          0,
          0.024
        ],
        "radius_m": 0.069
      },
      {
        "name": "L1b",
        "link": 1,
        "from_m": [
          0.012,
          -0.009,
          0.045
        ],
        "to_m": [
          0.058,
          -0.037,
          0.132
        ],
        "radius_m": 0.062
      },
      {
        "name": "L2a",
        "link": 2,
        "from_m": [
          0,
          0.037,
          -0.003
        ],
        "to_m": [
          -0.026,
          0.035,
          0.094
        ],
        "radius_m": 0.064
      },
      {
        "name": "L2b",
        "link": 2,
        "from_m": [
          -0.026,
          0.035,
          0.118
        ],
        "to_m": [
          0,
          0.037,
          0.206
        ],
        "radius_m": 0.061
      },
      {
        "name": "L3",
        "link": 3,
        "from_m": [
          -0.054,
          -0.004,
          0.05
        ],
        "to_m": [
          0.002,
          -0.034,
          -0.001
        ],
        "radius_m": 0.056
      },
      {
        "name": "L4a",
        "link": 4,
        "from_m": [
          0,
          0,
          0.002
        ],
        "to_m": [
          0,
          -0.002,
          0.107
        ],
        "radius_m": 0.05
      },
      {
        "name": "L4b",
        "link": 4,
        "from_m": [
          0,
          -0.014,
          0.075
        ],
        "to_m": [
          0,
          -0.035,
          0.195
        ],
        "radius_m": 0.04
      },
      {
        "name": "L5a",
        "link": 5,
        "from_m": [
          -0.003,
          0.018,
          0
        ],
        "to_m": [
          -0.003,
          -0.008,
          0
        ],
        "radius_m": 0.048
      },
      {
        "name": "L5b",
        "link": 5,
        "from_m": [
          -0.065,
          0,
          -0.02
        ],
        "to_m": [
          -0.065,
          0,
          0.046
        ],
        "radius_m": 0.043
      },
      {
        "name": "L6",
        "link": 6,
        "from_m": [
          0,
          0,
          -0.01
        ],
        "to_m": [
          0,
          0,
          0.003
        ],
        "radius_m": 0.037
      }
    ],
    "self_pairs": [
      [
        0,
        3
      ],
      [
        0,
        4
      ],
      [
        0,
        5
      ],
      [
        0,
        6
      ],
      [
        1,
        4
      ],
      [
        1,
        5
      ],
      [
        1,
        6
      ],
      [
        2,
        5
      ],
      [
        2,
        6
      ]
    ],
    "tool_pairs": [
      0,
      1,
      2,
      3,
      4
    ],
    "axis_reach_m": [
      [
        0.069,
        0.265,
        0.335,
        0.564,
        0.637,
        0.658,
        0.676
      ],
      [
        0,
        0.206,
        0.279,
        0.508,
        0.581,
        0.602,
        0.62
      ],
      [
        0,
        0,
        0.074,
        0.303,
        0.376,
        0.397,
        0.415
      ],
      [
        0,
        0,
        0,
        0.035,
        0.08,
        0.101,
        0.119
      ],
      [
        0,
        0,
        0,
        0,
        0.08,
        0.101,
        0.119
      ],
      [
        0,
        0,
        0,
        0,
        0,
        0,
        0
      ]
    ],
    "axis_reach_guard_m": 0.001
  },
  "payload": {
    "mark": "own",
    "radius_m": 0.03,
    "offset_beyond_flange_m": 0.03
  },
  "drive": {
    "mark": "own",
    "armature_kg_m2": [
      0.3,
      0.3,
      0.2,
      0.06,
      0.05,
      0.02
    ],
    "viscous_n_m_s": [
      1.2,
      1.2,
      1,
      0.4,
      0.4,
      0.2
    ],
    "coulomb_n_m": [
      0.8,
      0.8,
      0.6,
      0.25,
      0.2,
      0.1
    ],
    "coulomb_smooth_rad_s": 0.02,
    "torque_max_n_m": [
      40,
      60,
      40,
      12,
      10,
      4
    ],
    "servo_bandwidth_rad_s": 110,
    "braking_rad_s2": [
      10,
      10,
      10,
      10,
      10,
      10
    ],
    "following_error_rad": [
      0.05,
      0.05,
      0.05,
      0.05,
      0.05,
      0.05
    ],
    "setpoint_step_max_rad": 0.005,
    "stop_stiffness_n_m": [
      800,
      800,
      600,
      150,
      120,
      40
    ],
    "stop_damping_n_m_s": [
      20,
      20,
      15,
      4,
      3,
      1
    ]
  },
  "detection": {
    "mark": "own",
    "observer_gain_per_s": 400,
    "threshold_n_m": [
      2.2,
      4.6,
      3.3,
      0.8,
      1,
      0.2
    ],
    "sensitivity": {
      "high": 1,
      "medium": 1.6,
      "low": 3.4
    },
    "reaction": {
      "force_bound_n": 10,
      "force_released_n": 4,
      "braking_rad_s2": 30,
      "still_rad_s": 0.05,
      "retreat_rad_s": 0.2,
      "retreat_acceleration_rad_s2": 5,
      "stretch_rad": 0.006,
      "free_share": 0.05,
      "felt_share": 0.1,
      "blocked_n": 5,
      "yield_damping_per_s": 12,
      "yield_rad_s": 0.3,
      "yield_max_rad": 1
    }
  },
  "thermal": {
    "mark": "own",
    "ambient_c": 25,
    "idle_c": [
      44,
      47,
      46,
      45,
      45,
      43
    ],
    "winding_k_per_w": [
      1.1,
      1.1,
      1.2,
      1.6,
      1.6,
      2
    ],
    "heat_capacity_j_per_k": [
      420,
      420,
      380,
      260,
      260,
      180
    ],
    "resistance_w_per_n2m2": [
      0.03,
      0.03,
      0.04,
      0.15,
      0.18,
      0.6
    ],
    "friction_share": 0.6
  },
  "realism": {
    "mark": "own",
    "settle_rad": 0.05,
    "twist_s": 0.02,
    "typical": {
      "repeatability_rad": [
        0.0002,
        0.0002,
        0.0002,
        0.0004,
        0.0004,
        0.0004
      ],
      "encoder_noise_rad": 0.00005,
      "velocity_noise_rad_s": 0.004,
      "backlash_rad": 0.0005,
      "stiffness_n_m_per_rad": [
        14000,
        14000,
        9000,
        3000,
        2500,
        1500
      ],
      "latency_s": 0.008,
      "friction": {
        "idle_share": 1.1,
        "share_per_k": -0.01,
        "least_share": 0.7
      }
    },
    "worn": {
      "repeatability_rad": [
        0.0004,
        0.0004,
        0.0004,
        0.0008,
        0.0008,
        0.0008
      ],
      "encoder_noise_rad": 0.0001,
      "velocity_noise_rad_s": 0.01,
      "backlash_rad": 0.001,
      "stiffness_n_m_per_rad": [
        8400,
        8400,
        5400,
        1800,
        1500,
        900
      ],
      "latency_s": 0.02,
      "friction": {
        "idle_share": 1.3,
        "share_per_k": -0.012,
        "least_share": 0.8
      }
    }
  },
  "telemetry": {
    "mark": "confirmed",
    "position_quantum_rad": 0.00009587672516830327,
    "temperature_quantum_c": 0.125
  }
};
