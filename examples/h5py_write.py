#!/usr/bin/python3
"""Writes a series of images to one HDF5 file from all ranks of an MPI job, in Python: h5py with its MPI driver.
Each rank owns some rows of every image; datasets are extensible, one image is added at a time."""
import argparse

import h5py
import numpy
from mpi4py import MPI


def read_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=16, help="rows of an image on each rank (%(default)s)")
    parser.add_argument("--columns", type=int, default=64, help="columns of an image (%(default)s)")
    parser.add_argument("--images", type=int, default=4, help="images to write (%(default)s)")
    parser.add_argument("--independent", action="store_true", help="each rank transfers for itself")
    parser.add_argument("--file", default="images.h5", help="the file to write (%(default)s)")
    return parser.parse_args()


def pixels(options, rank, image):
    first = rank * options.rows * options.columns
    values = numpy.arange(first, first + options.rows * options.columns, dtype="f4") + image
    return values.reshape(1, options.rows, options.columns)


def write_image(dataset, options, rank, image):
    dataset.resize(image + 1, axis=0)
    mine = slice(rank * options.rows, (rank + 1) * options.rows)
    if options.independent:
        dataset[image : image + 1, mine, :] = pixels(options, rank, image)
    else:
        with dataset.collective:
            dataset[image : image + 1, mine, :] = pixels(options, rank, image)


def main():
    options = read_options()
    world = MPI.COMM_WORLD
    rows = options.rows * world.size
    with h5py.File(options.file, "w", driver="mpio", comm=world) as file:
        file.attrs["images"] = options.images
        group = file.create_group("camera")
        group.attrs["name"] = "first light"
        dataset = group.create_dataset(
            "pixels",
            shape=(0, rows, options.columns),
            maxshape=(None, rows, options.columns),
            chunks=(1, options.rows, options.columns),
            dtype="f4",
        )
        for image in range(options.images):
            write_image(dataset, options, world.rank, image)
    if world.rank == 0:
        print(f"{options.images} images of {rows} x {options.columns} pixels written to {options.file}")


if __name__ == "__main__":
    main()
