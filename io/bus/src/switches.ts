/** The operator's switches; read anew for every message. */
export interface BusSwitches {
  /** While true, asks are refused with `platform.out_of_order`. */
  isOutOfOrder(): boolean | Promise<boolean>
  /** While true, the inbox applies nothing, and asks with an effect are refused with `db.writes_paused`. */
  isPaused(): boolean | Promise<boolean>
}

export const NOTHING_TURNED: BusSwitches = { isOutOfOrder: () => false, isPaused: () => false }
