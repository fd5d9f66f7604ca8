import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { DialogProps } from './dialog-popup.tsx'

const Popup = lazy(() => import('./dialog-popup.tsx'))

/**
 * A thing of its own above the page: the focus stays in it, and returns to where it was. What draws it is loaded when one
 * is first opened.
 */
export function Dialog(props: DialogProps): ReactNode {
  const [wasOpen, setWasOpen] = useState(props.isOpen)
  if (props.isOpen && !wasOpen) setWasOpen(true)
  if (!wasOpen) return null
  return (
    <Suspense>
      <Popup {...props} />
    </Suspense>
  )
}

export function Drawer(props: Omit<DialogProps, 'isDrawer'>): ReactNode {
  return <Dialog {...props} isDrawer />
}
