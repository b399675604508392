/** The element that the stage draws in. It is there before the shell is and moves into it as it stands. */
export const stageHost: HTMLElement = document.createElement("div");
stageHost.className = "stage-host";
