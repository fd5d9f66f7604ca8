/**
 * Loaded with `--import` before a consumer: its clock differs from that of the machine by what the run says, at the start
 * and while it runs. Timers are not affected, as on a machine whose clock is set.
 */
const RealDate = Date
let offsetMs = Number(process.env['CLOCK_OFFSET_MS'] ?? 0)

process.on('message', (message) => {
  if (typeof message === 'number') offsetMs = message
})
process.on('disconnect', () => process.exit(1))
process.channel?.unref()

const now = (): number => RealDate.now() + offsetMs
globalThis.Date = new Proxy(RealDate, {
  get: (target, name): unknown => (name === 'now' ? now : Reflect.get(target, name)),
  // oxlint-disable-next-line typescript/no-unsafe-return -- a date, as the constructor made it
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
})
