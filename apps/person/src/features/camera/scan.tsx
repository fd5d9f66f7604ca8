import { Button, Buttons, Field } from '@sealpost/ui'
import { ScanQrCode } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useWords } from '../../words/index.ts'
import { CameraView } from './camera-view.tsx'
import { openQrReader } from './qr-reader.ts'
import classes from './camera.module.css'

/** The pause between two pictures. */
const BETWEEN_LOOKS_MS = 120

/** Reads a QR code with the camera, or from a picture of it. */
export function Scan({
  onText,
}: {
  /** False when the text is of no use here: then the camera looks on. */
  readonly onText: (text: string) => boolean
}): ReactNode {
  const words = useWords().camera
  const [isOpen, setOpen] = useState(false)
  const [problem, setProblem] = useState<string>()
  const take = (text: string | null): boolean => {
    const isTaken = text !== null && onText(text)
    if (text !== null && !isTaken) setProblem(words.otherCode)
    return isTaken
  }
  const look = async (video: HTMLVideoElement, signal: AbortSignal): Promise<void> => {
    const reader = await openQrReader()
    signal.addEventListener('abort', () => reader.close())
    while (!signal.aborted) {
      const text = await reader.read(video)
      if (signal.aborted || take(text)) return
      await pause(BETWEEN_LOOKS_MS)
    }
  }
  const readPicture = async (file: File): Promise<void> => {
    const reader = await openQrReader()
    const picture = await createImageBitmap(file).catch(() => null)
    const text = picture === null ? null : await reader.read(picture)
    reader.close()
    picture?.close()
    if (!take(text) && text === null) setProblem(words.noCode)
  }
  return (
    <div className={classes.pick}>
      {isOpen ? <CameraView label={words.sees} onVideo={(video, signal) => void look(video, signal)} /> : null}
      <Buttons>
        <Button icon={isOpen ? null : <ScanQrCode size={20} aria-hidden />} onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.stop : words.scan}
        </Button>
      </Buttons>
      <Field label={words.fromPicture} hint={words.fromPictureHint} problem={problem}>
        {(ties) => (
          <input
            {...ties}
            type="file"
            accept="image/*"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0]
              setProblem(undefined)
              if (file !== undefined) void readPicture(file)
            }}
          />
        )}
      </Field>
    </div>
  )
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms)
  })
}
