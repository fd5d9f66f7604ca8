import { Notice, Pending } from '@sealpost/ui'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useWords } from '../../words/index.ts'
import { openCamera } from './open-camera.ts'
import classes from './camera.module.css'

/** What the camera of the device sees, until the view is closed. */
export function CameraView({
  label,
  onVideo,
  children,
}: {
  readonly label: string
  /** Once it plays; the signal ends with the view. */
  readonly onVideo: (video: HTMLVideoElement, signal: AbortSignal) => void
  /** Beside the picture, while there is one. */
  readonly children?: ReactNode
}): ReactNode {
  const words = useWords().camera
  const place = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<'opening' | 'open' | 'refused' | 'missing'>('opening')
  const show = useEffectEvent(onVideo)
  useEffect(() => {
    const ended = new AbortController()
    const open = async (): Promise<void> => {
      const video = place.current
      if (video === null) return
      const outcome = await openCamera(video, ended.signal)
      if (ended.signal.aborted) return
      setState(outcome)
      if (outcome === 'open') show(video, ended.signal)
    }
    void open()
    return () => ended.abort()
  }, [])
  const isFailed = state === 'refused' || state === 'missing'
  return (
    <>
      {isFailed ? <Notice kind="bad" {...words[state]} /> : null}
      {state === 'opening' ? <Pending>{words.opening}</Pending> : null}
      <div hidden={state !== 'open'} role="img" aria-label={label}>
        <video ref={place} className={classes.video} aria-hidden muted playsInline />
      </div>
      {state === 'open' ? children : null}
    </>
  )
}
