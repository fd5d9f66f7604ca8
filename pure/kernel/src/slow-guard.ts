/**
 * [Note: nothing slow inside a transaction] A network call between BEGIN and COMMIT holds row locks for as long as
 * somebody else's machine likes. Every adapter announces its slow acts here; in tests `io/postgres` installs a guard
 * that throws when a transaction is open. Production pays one function call.
 */
type Guard = (act: string) => void

let guard: Guard | null = null

export function installSlowGuard(next: Guard | null): void {
  guard = next
}

export function announceSlowAct(act: string): void {
  guard?.(act)
}
