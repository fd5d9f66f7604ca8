export type { PortalContext } from './context.ts'
export { openPortal } from './module.ts'
