export { type HookBehaviour, type HookReceiver, type ReceivedHook, startHookReceiver } from './receiver.ts'
