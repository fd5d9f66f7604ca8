export { customerFor, openCustomer, type TestCustomer, type TestDecision, type TestShare } from './customer.ts'
export { type AskedField, type Desk, type DeskOptions, collectEvents, openDesk } from './desk.ts'
export { listOf, membersOf } from './members.ts'
