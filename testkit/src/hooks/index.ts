export { hookOn, type HookDesk, openHooks, type TestHook } from './hook-desk.ts'
export { type HookBehaviour, type HookReceiver, type ReceivedHook, startHookReceiver } from './receiver.ts'
