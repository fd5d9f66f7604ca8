export { type Asker, type AskerOptions, openAsker } from './asker.ts'
export { type Bus, type BusOptions, openBus } from './bus.ts'
export {
  type Ask,
  type AskContract,
  type Asked,
  type Attachment,
  type Attachments,
  INLINE_BODY_BYTES,
  LARGEST_BODY_BYTES,
  type Loss,
  type LossHandler,
  type Parse,
  type ReadAskHandler,
  type StoredAskHandler,
  type Tell,
  type TellContract,
  type TellHandler,
  type ToldMessage,
} from './contracts.ts'
export type { BusHealth } from './health.ts'
export { busMigrations } from './migrations.ts'
export { DIRECTORY, FORWARDER, type NatsServer, type Parties, type Party, parseParty } from './parties.ts'
export { raiseIncarnation } from './session/meet.ts'
export { busSettings, partiesOf } from './settings.ts'
export type { BusRoles } from './station.ts'
export { listAttachedObjects } from './store/days.ts'
export type { BusSwitches } from './switches.ts'
