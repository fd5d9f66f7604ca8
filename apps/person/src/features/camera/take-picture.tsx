import { Button, Buttons } from '@sealpost/ui'
import { Camera } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useWords } from '../../words/index.ts'
import { CameraView } from './camera-view.tsx'

/** A picture of something in front of the camera, as a file. */
export function TakePicture({
  name,
  onPicture,
}: {
  /** Of the file, without its ending. */
  readonly name: string
  readonly onPicture: (picture: File) => void
}): ReactNode {
  const words = useWords().camera
  const [isOpen, setOpen] = useState(false)
  const video = useRef<HTMLVideoElement | null>(null)
  const take = async (): Promise<void> => {
    const picture = video.current === null ? null : await pictureOf(video.current, name)
    if (picture === null) return
    setOpen(false)
    onPicture(picture)
  }
  if (!isOpen)
    return (
      <Buttons>
        <Button icon={<Camera size={20} aria-hidden />} onClick={() => setOpen(true)}>
          {words.take}
        </Button>
      </Buttons>
    )
  return (
    <>
      <CameraView
        label={words.sees}
        onVideo={(playing) => {
          video.current = playing
        }}
      >
        <Button look="main" onClick={() => void take()}>
          {words.takeNow}
        </Button>
      </CameraView>
      <Buttons>
        <Button onClick={() => setOpen(false)}>{words.stop}</Button>
      </Buttons>
    </>
  )
}

async function pictureOf(video: HTMLVideoElement, name: string): Promise<File | null> {
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  const blob = await new Promise<Blob | null>((done) => {
    canvas.toBlob(done, 'image/jpeg', 0.92)
  })
  return blob === null ? null : new File([blob], `${name}.jpg`, { type: 'image/jpeg' })
}
