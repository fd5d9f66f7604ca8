/**
 * [Note: nothing slow inside a transaction] A network call between BEGIN and COMMIT holds row locks for as long as
 * another machine takes to answer. Every adapter announces its slow calls here; in tests `io/postgres` installs a guard
 * that throws when a transaction is open. Production pays one function call.
 */
type Guard = (call: string) => void

let guard: Guard | null = null

export function installSlowGuard(next: Guard | null): void {
  guard = next
}

export function announceSlowCall(call: string): void {
  guard?.(call)
}
