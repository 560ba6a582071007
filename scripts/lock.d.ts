export declare const takeLock: (file: string) => boolean
