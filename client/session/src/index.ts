export { keepAccess, type KeptAccess } from './keep-access.ts'
export {
  type Access,
  type LogIn,
  type RegionRecord,
  sessionCalls,
  type SessionCalls,
  type UserType,
} from './session-calls.ts'
