/** A request that was answered, or whose connection closed. */
export interface AnsweredRequest {
  readonly request_id: string;
  readonly method: string;
  /** The route id, or the path of another endpoint. */
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
}
