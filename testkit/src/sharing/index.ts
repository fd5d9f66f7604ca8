export { listOf, membersOf } from './members.ts'
