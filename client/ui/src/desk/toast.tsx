import { X } from 'lucide-react'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { useUiWords } from '../words/ui-words.ts'
import classes from './toast.module.css'

export interface Toast {
  readonly what: string
  /** Takes back what was done. */
  readonly act?: { readonly name: string; readonly onAct: () => void }
}

type Shown = Toast & { readonly id: number }

const Context = createContext<(toast: Toast) => void>(() => {})

/** Says that something was done which the page does not show. */
export function useToast(): (toast: Toast) => void {
  return use(Context)
}

const SHOWN_MS = 8_000
const MOST = 3

export function ToastProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const words = useUiWords().desk
  const [toasts, setToasts] = useState<readonly Shown[]>([])
  const show = useCallback((toast: Toast) => {
    setToasts((before) => [...before, { ...toast, id: (before.at(-1)?.id ?? 0) + 1 }].slice(-MOST))
  }, [])
  const close = useMemo(() => (id: number) => setToasts((before) => before.filter((toast) => toast.id !== id)), [])
  return (
    <Context value={show}>
      {children}
      <section className={classes.toasts} aria-label={words.done} aria-live="polite">
        {toasts.map((toast) => (
          <Line key={toast.id} toast={toast} onClose={close} />
        ))}
      </section>
    </Context>
  )
}

function Line({ toast, onClose }: { readonly toast: Shown; readonly onClose: (id: number) => void }): ReactNode {
  const words = useUiWords().desk
  const { id, what, act } = toast
  const [isHeld, setHeld] = useState(false)
  // Not while the pointer or the focus is in it.
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => onClose(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isHeld, id, onClose])
  return (
    <div
      className={classes.toast}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p>{what}</p>
      {act === undefined ? null : (
        <button
          type="button"
          className={classes.act}
          onClick={() => {
            act.onAct()
            onClose(id)
          }}
        >
          {act.name}
        </button>
      )}
      <button type="button" className={classes.close} aria-label={words.close} onClick={() => onClose(id)}>
        <X size={16} aria-hidden />
      </button>
    </div>
  )
}
