import { Check, Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { useUiWords } from '../words/ui-words.ts'

export interface CopyButtonProps {
  readonly text: string
  /** What is copied; the words of the button say only “Copy”. */
  readonly label: string
  readonly onCopied?: () => void
}

/** Says whether it was copied: a browser can refuse. */
export function CopyButton({ text, label, onCopied }: CopyButtonProps): ReactNode {
  const words = useUiWords().desk
  const [state, setState] = useState<'copy' | 'copied' | 'copyFailed'>('copy')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
      onCopied?.()
    } catch {
      setState('copyFailed')
    }
  }
  const icon = state === 'copied' ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />
  return (
    <Button icon={icon} aria-label={`${words[state]}: ${label}`} onClick={() => void copy()}>
      <span role="status">{words[state]}</span>
    </Button>
  )
}
