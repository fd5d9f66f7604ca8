// Loaded by `node --import` into a process of an app, whose clock is then DAYS_LATER days ahead, as on a machine with a wrong
// clock.

const aheadMs = Number(process.env['DAYS_LATER'] ?? '0') * 86_400_000
const RealDate = Date

class LaterDate extends RealDate {
  constructor(...given: readonly [] | readonly [string | number | Date]) {
    super(given[0] ?? RealDate.now() + aheadMs)
  }

  static override now(): number {
    return RealDate.now() + aheadMs
  }
}

Object.assign(globalThis, { Date: LaterDate })
