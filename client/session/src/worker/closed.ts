export { closedState } from './closed-state.ts'
export { openDeviceStore } from './device-store.ts'
