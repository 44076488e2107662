export declare function build(): Promise<void>;
