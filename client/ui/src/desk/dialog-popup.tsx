import { CSPProvider } from '@base-ui/react/csp-provider'
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useUiWords } from '../words/ui-words.ts'
import classes from './dialog.module.css'

export interface DialogProps {
  readonly isOpen: boolean
  /** By Escape, by the button or beside it; not while `isBusy`. */
  readonly onClose: () => void
  readonly title: string
  /** What follows, in a sentence. */
  readonly about?: string
  /** At the bottom: what can be done. */
  readonly acts?: ReactNode
  readonly isBusy?: boolean
  /** At the side of the window, at its full height. */
  readonly isDrawer?: boolean
  readonly children?: ReactNode
}

export default function DialogPopup(props: DialogProps): ReactNode {
  const { isOpen, onClose, title, about, acts, isBusy = false, isDrawer = false, children } = props
  const words = useUiWords().desk
  return (
    <CSPProvider disableStyleElements>
      <Base.Root
        open={isOpen}
        onOpenChange={(isNowOpen) => {
          if (!isNowOpen && !isBusy) onClose()
        }}
      >
        <Base.Portal>
          <Base.Backdrop className={classes.back} />
          <Base.Popup className={isDrawer ? classes.drawer : classes.dialog}>
            <header className={classes.head}>
              <Base.Title className={classes.title}>{title}</Base.Title>
              <Base.Close className={classes.close} aria-label={words.close} disabled={isBusy}>
                <X size={16} aria-hidden />
              </Base.Close>
            </header>
            <div className={classes.body}>
              {about === undefined ? null : <Base.Description className={classes.about}>{about}</Base.Description>}
              {children}
            </div>
            {acts === undefined ? null : <footer className={classes.acts}>{acts}</footer>}
          </Base.Popup>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  )
}
