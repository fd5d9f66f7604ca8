import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { PaletteProps } from './palette-popup.tsx'

const Popup = lazy(() => import('./palette-popup.tsx'))

/** Finds a place or an act by typing. Ctrl K (on a Mac ⌘ K) opens it anywhere; it is loaded then. */
export function Palette(props: PaletteProps): ReactNode {
  const { isOpen, onOpen } = props
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  useEffect(() => {
    const openByKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      onOpen(true)
    }
    document.addEventListener('keydown', openByKey)
    return () => document.removeEventListener('keydown', openByKey)
  }, [onOpen])
  if (!wasOpen) return null
  return (
    <Suspense>
      <Popup {...props} />
    </Suspense>
  )
}
